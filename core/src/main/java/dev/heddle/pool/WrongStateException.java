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
        this(command, id, state, "");
    }

    private WrongStateException(String command, JobId id, JobState state, String detail) {
        super("cannot " + command + " job " + id + ": it is " + state + detail);
        this.state = state;
    }

    /**
     * Creates the exception for a cancelled job whose handler still runs.
     *
     * @param command the command, as a verb
     * @param id the job
     */
    public static WrongStateException stillRunning(String command, JobId id) {
        return new WrongStateException(command, id, JobState.CANCELLED,
                ", but its attempt has not ended; try again in a moment");
    }

    /** Returns the state that the job is in. */
    public JobState state() {
        return state;
    }
}
