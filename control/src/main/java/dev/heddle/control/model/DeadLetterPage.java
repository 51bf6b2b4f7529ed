package dev.heddle.control.model;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of dead letters.
 *
 * @param deadLetters newest first, without payloads and checkpoints
 * @param next the cursor of the next page; null if this is the last page
 */
public record DeadLetterPage(List<DeadLetterView> deadLetters, @Nullable String next) {}
