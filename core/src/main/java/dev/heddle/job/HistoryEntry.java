package dev.heddle.job;

import java.time.Instant;

/**
 * A change of state off the ordinary way: retry, pause, resume, cancel, recovery, manual retry, phase. The ordinary
 * way (assigned, running, ended) is read from the attempts.
 *
 * @param actor who did it: a node, or what the caller gave
 */
public record HistoryEntry(JobState from, JobState to, String reason, String actor, Instant at) {}
