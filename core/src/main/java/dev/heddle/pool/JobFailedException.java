package dev.heddle.pool;

import dev.heddle.job.HeddleException;
import dev.heddle.job.Job;

/** Thrown by {@link JobHandle#await} if the job ended FAILED or CANCELLED. */
public final class JobFailedException extends HeddleException {

    private final transient Job job;

    JobFailedException(Job job) {
        super("job " + job.id() + " (" + job.type() + ") ended " + job.state() + ": "
                + job.reason().orElse("no reason given"));
        this.job = job;
    }

    /** Returns the job as it ended. */
    public Job job() {
        return job;
    }
}
