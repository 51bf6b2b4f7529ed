package dev.heddle.pool;

import dev.heddle.job.Job;

/** The job that was waited for ended without success. */
public final class JobFailedException extends RuntimeException {

    private final transient Job job;

    JobFailedException(Job job) {
        super("job " + job.id() + " (" + job.type() + ") ended " + job.state() + ": "
                + job.reason().orElse("no reason given"));
        this.job = job;
    }

    public Job job() {
        return job;
    }
}
