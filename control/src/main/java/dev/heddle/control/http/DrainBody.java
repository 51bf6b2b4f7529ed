package dev.heddle.control.http;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The body of a drain request.
 *
 * @param atMost when the node has to be gone, whatever its jobs do; null for as long as they take
 */
public record DrainBody(@Nullable Duration atMost) {}
