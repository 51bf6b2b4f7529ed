package dev.heddle.job;

import java.time.Instant;

/**
 * A change of state other than the usual ones: a retry, a pause, a cancel, a recovery, a change of phase. The usual
 * changes (assigned, running, ended) can be read from the attempts.
 *
 * @param from the state before
 * @param to the state after
 * @param reason why the state changed
 * @param actor who changed it: a node's id, or the name that the caller of a command gave
 * @param at when it changed
 */
public record HistoryEntry(JobState from, JobState to, String reason, String actor, Instant at) {}
