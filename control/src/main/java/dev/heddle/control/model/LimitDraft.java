package dev.heddle.control.model;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A limit to set. It replaces the limit with the same name. It needs {@code maxConcurrent}, or {@code rate} and
 * {@code per}, or all of them.
 *
 * @param name the name of the limit
 * @param type covers the jobs of this type; at most one of type, queue and tag
 * @param queue covers the jobs of this queue
 * @param tag covers the jobs with this tag
 * @param key where the payload has the key, such as {@code $.customer}; null for one key, or keys that jobs name
 * @param maxConcurrent how many jobs of a key may run at once
 * @param rate how many jobs of a key may start in the time {@code per}
 * @param per the time of the rate
 * @param burst how many jobs may start together after a pause; null for 1
 * @param whenFull {@code queue}, {@code dropNew} or {@code cancelRunning}; null for {@code queue}
 */
public record LimitDraft(String name, @Nullable String type, @Nullable String queue, @Nullable String tag,
        @Nullable String key, @Nullable Integer maxConcurrent, @Nullable Integer rate, @Nullable Duration per,
        @Nullable Integer burst, @Nullable String whenFull) {}
