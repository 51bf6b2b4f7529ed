package dev.heddle.control;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The body of a drain request.
 *
 * @param atMost how long running jobs may continue; null for as long as they take
 */
public record DrainBody(@Nullable Duration atMost) {}
