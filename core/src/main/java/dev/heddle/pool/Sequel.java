package dev.heddle.pool;

import java.util.List;

import dev.heddle.job.Job;
import dev.heddle.job.JobRequest;

/**
 * Chooses the jobs that follow the end of a job. They are committed together with that end, so there is never one
 * without the other. Must be safe for use by many threads.
 *
 * <p>A job that ends without an attempt has no such commit. If crashes of its node made it a dead letter, its sequel is
 * submitted right after; if it was cancelled, it has no sequel.
 */
@FunctionalInterface
public interface Sequel {

    /**
     * Returns the requests that follow. Called on the worker's thread, before the commit. If it throws, that is logged,
     * and the job ends without a sequel.
     *
     * @param ended the job as it will be: COMPLETED, FAILED, or CANCELLED by its handler
     */
    List<? extends JobRequest<?, ?>> after(Job ended);
}
