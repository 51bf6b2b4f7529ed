package dev.heddle.control.http;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The body of a request that says when a job may run.
 *
 * @param delay how long from now; not together with {@code runAt}
 * @param runAt the earliest time; not together with {@code delay}
 */
public record RescheduleBody(@Nullable Duration delay, @Nullable Instant runAt) {}
