package dev.heddle.pool;

import dev.heddle.job.JobId;

/** There is no job with this id; it may have been pruned. */
public final class NoSuchJobException extends RuntimeException {

    NoSuchJobException(JobId id) {
        super("no job has the id " + id + "; it was never submitted here, or retention removed it");
    }
}
