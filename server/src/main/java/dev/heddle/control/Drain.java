package dev.heddle.control;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How a node is to end.
 *
 * @param atMost how long what runs may go on; null for as long as it takes
 */
public record Drain(@Nullable Duration atMost) {}
