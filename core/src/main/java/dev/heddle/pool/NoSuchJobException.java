package dev.heddle.pool;

import dev.heddle.job.JobId;

/** There is no job with this id; it may have been pruned. */
public final class NoSuchJobException extends RuntimeException {

    NoSuchJobException(JobId id) {
        this("no job has the id " + id + "; it was never submitted here, or retention removed it");
    }

    private NoSuchJobException(String message) {
        super(message);
    }

    static NoSuchJobException asParent(JobId id) {
        return new NoSuchJobException(
                "no job has the id " + id + ", which should be a parent; submit the parent first");
    }
}
