package dev.heddle.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * One step of a worker's life.
 *
 * @param after how long it had been in {@code from}, by the monotonic clock
 * @param at the wall clock
 * @param metadata what else is known, such as the job
 */
public record StateChange(WorkerState from, WorkerState to, TransitionReason reason, Duration after,
        Instant at,
        Map<String, String> metadata) {}
