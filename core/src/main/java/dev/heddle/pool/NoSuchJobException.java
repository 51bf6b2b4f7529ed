package dev.heddle.pool;

import dev.heddle.job.HeddleException;
import dev.heddle.job.JobId;

/** Thrown if there is no job with an id, perhaps because retention removed it. */
public final class NoSuchJobException extends HeddleException {

    /** Creates the exception for an id. */
    public NoSuchJobException(JobId id) {
        this("no job has the id " + id + "; it was never submitted to this store, or retention removed it");
    }

    private NoSuchJobException(String message) {
        super(message);
    }

    /** Creates the exception for a submit that names a parent that is not there. */
    public static NoSuchJobException asParent(JobId id) {
        return new NoSuchJobException(
                "no job has the id " + id + ", which was given as a parent; submit the parent first");
    }
}
