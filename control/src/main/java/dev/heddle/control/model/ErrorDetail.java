package dev.heddle.control.model;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Failures that have the same fingerprint, with their dead letters.
 *
 * @param error the failures
 * @param deadLetters dead letters with the fingerprint, newest first, without payloads and checkpoints
 * @param next the cursor of the next page of dead letters; null if this is the last page
 */
public record ErrorDetail(ErrorView error, List<DeadLetterView> deadLetters, @Nullable String next) {}
