package dev.heddle.store;

import java.time.Instant;

import dev.heddle.job.JobId;

/** What a person, or code in a person's stead, asks of the store. */
public sealed interface Command {

    /** Who asked; kept in the history. */
    String actor();

    Instant at();

    /** Ends a job that has not ended; a running one is told by whoever runs it. */
    record Cancel(JobId id, String reason, String actor, Instant at) implements Command {}

    /** Holds back a job that waits. */
    record Pause(JobId id, String reason, String actor, Instant at) implements Command {}

    record Resume(JobId id, String actor, Instant at) implements Command {}

    /** Queues a dead letter again, with all its retries. */
    record Retry(JobId id, String actor, Instant at) implements Command {}

    /** Removes a job that no node holds, with everything of its. */
    record Delete(JobId id, String actor, Instant at) implements Command {}

    /** Queues up to {@code query.limit()} matching dead letters again. */
    record RetryMatching(JobQuery query, String actor, Instant at) implements Command {}

    /** Deletes up to {@code query.limit()} matching dead letters. */
    record PurgeMatching(JobQuery query, String actor, Instant at) implements Command {}

    /** Lets nothing of the queue be claimed. */
    record PauseQueue(String queue, String actor, Instant at) implements Command {}

    record ResumeQueue(String queue, String actor, Instant at) implements Command {}
}
