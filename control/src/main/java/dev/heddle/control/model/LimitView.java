package dev.heddle.control.model;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A limit and how much of it is in use.
 *
 * @param name the name of the limit
 * @param covers which jobs it covers by itself, such as {@code type:mail}; null for those with its key, or that name it
 * @param key where the payload has the key; null if it has none
 * @param maxConcurrent how many jobs of a key may run at once; null for any number
 * @param rate how many jobs of a key may start in the time {@code per}; null for any number
 * @param per the time of the rate
 * @param burst how many jobs may start together after a pause
 * @param whenFull what happens to a job that finds no room
 * @param keys the keys with jobs that run or wait, the fullest first, at most 100
 */
public record LimitView(String name, @Nullable String covers, @Nullable String key, @Nullable Integer maxConcurrent,
        @Nullable Integer rate, @Nullable Duration per, @Nullable Integer burst, String whenFull,
        List<LimitKeyView> keys) {}
