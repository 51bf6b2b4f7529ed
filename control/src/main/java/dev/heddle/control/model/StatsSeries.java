package dev.heddle.control.model;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What happened to jobs over time, on all nodes.
 *
 * @param type the type of the jobs; null for all
 * @param queue the queue of the jobs; null for all
 * @param window how far back the series goes: 1h, 24h or 7d
 * @param slice how long each slice is
 * @param total all slices in one
 * @param points the slices, the oldest first, without gaps; the last one is not over yet
 */
public record StatsSeries(@Nullable String type, @Nullable String queue, String window, Duration slice,
        StatsPoint total, List<StatsPoint> points) {}
