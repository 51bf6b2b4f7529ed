package dev.heddle.store;

import java.util.List;

import dev.heddle.job.JobId;

/** What became of a submission. */
public sealed interface Receipt {

    /**
     * Stored. The ids, in order; where one differs from what was submitted, a live job with the same dedupe
     * key stands in for it.
     */
    record Accepted(List<JobId> ids) implements Receipt {}

    /** The parent of a job is not there, or not the spawning attempt's any more; nothing of it was stored. */
    record NoParent(JobId parent) implements Receipt {}

    /** A queue has no room; nothing of the submission was stored. */
    record Full(String queue, int capacity) implements Receipt {}
}
