package dev.heddle.pool;

import dev.heddle.job.HeddleException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;

/** Thrown if a command cannot be executed in the state that the job is in; nothing changed. */
public final class WrongStateException extends HeddleException {

    private final JobState state;

    /**
     * Creates the exception.
     *
     * @param command the command, as a verb
     * @param id the job
     * @param state the state it is in
     */
    public WrongStateException(String command, JobId id, JobState state) {
        super("cannot " + command + " job " + id + ": it is " + state);
        this.state = state;
    }

    /** Returns the state that the job is in. */
    public JobState state() {
        return state;
    }
}
