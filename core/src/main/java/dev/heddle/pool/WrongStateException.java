package dev.heddle.pool;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;

/** A job is not in a state where that can be done; nothing changed. */
public final class WrongStateException extends IllegalStateException {

    private final JobState state;

    WrongStateException(String what, JobId id, JobState state) {
        super("cannot " + what + " job " + id + ": it is " + state);
        this.state = state;
    }

    public JobState state() {
        return state;
    }
}
