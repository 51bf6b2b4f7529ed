package dev.heddle.pool;

import java.util.List;

import dev.heddle.job.Job;
import dev.heddle.job.JobRequest;

/**
 * What follows the end of a job: jobs that are stored in the commit of that end, so that there is never one without the
 * other. It is asked on the worker's thread, before the commit, with the job as it will be (COMPLETED, FAILED or CANCELLED
 * by its handler); where it throws, that is logged, and the job ends without.
 *
 * <p>A job that ends without an attempt has no such commit. Where a crash killed it once too often, its sequel is
 * submitted right after; where somebody cancels it, there is none.
 */
@FunctionalInterface
public interface Sequel {

    List<? extends JobRequest<?, ?>> after(Job ended);
}
