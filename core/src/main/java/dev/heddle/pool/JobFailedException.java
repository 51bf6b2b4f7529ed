package dev.heddle.pool;

import dev.heddle.job.Failure;
import dev.heddle.job.HeddleException;
import dev.heddle.job.Job;

/**
 * Thrown by {@link JobHandle#await} if the job ended FAILED or CANCELLED. The cause of a FAILED job is a
 * {@link dev.heddle.job.JobException} with the category, the message and the stack trace of its last failed attempt,
 * wherever that ran.
 */
public final class JobFailedException extends HeddleException {

    private final transient Job job;

    JobFailedException(Job job) {
        super("job " + job.id() + " (" + job.type() + ") ended " + job.state() + ": "
                + job.reason().orElse("no reason given"), job.failure().map(Failure::toException).orElse(null));
        this.job = job;
    }

    /** Returns the job as it ended. */
    public Job job() {
        return job;
    }
}
