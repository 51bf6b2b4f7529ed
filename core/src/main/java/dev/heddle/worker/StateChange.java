package dev.heddle.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * One change of a worker's state.
 *
 * @param from the state before
 * @param to the state after
 * @param reason why it changed
 * @param after how long the worker had been in {@code from}; never negative
 * @param at when it changed
 * @param metadata what else is known, such as the job
 */
public record StateChange(WorkerState from, WorkerState to, TransitionReason reason, Duration after, Instant at,
        Map<String, String> metadata) {}
