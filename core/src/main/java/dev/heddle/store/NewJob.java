package dev.heddle.store;

import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobSpec;

/**
 * A job to store.
 *
 * @param spec what was submitted
 * @param start when the job may run, by the clock of the store; it is SCHEDULED until then, or QUEUED at once
 * @param capacity how many QUEUED jobs its queue may have, including this one; {@link #UNLIMITED} for any number
 */
public record NewJob(JobSpec spec, Start start, int capacity) {

    /** The capacity of a queue without a limit. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** Creates a job that may run at once, in a queue without a limit. */
    public NewJob(JobSpec spec) {
        this(spec, new Start.AtOnce(), UNLIMITED);
    }

    /** Returns whether the job may run at once, as far as its submitter knows the time. */
    public boolean startsAtOnce() {
        return start.dueAt(spec.createdAt()).isEmpty();
    }
}
