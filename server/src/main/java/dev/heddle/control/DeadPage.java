package dev.heddle.control;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Some dead letters, newest first.
 *
 * @param next the cursor of the page that follows; null where there is none
 */
public record DeadPage(List<DeadLetterView> deadLetters, @Nullable String next) {}
