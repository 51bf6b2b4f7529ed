package dev.heddle.engine.support;

import dev.heddle.job.JobId;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.WrongStateException;
import dev.heddle.store.CommandResult;

/** Turns a refused command into the exception its caller should see. */
public final class CommandResults {

    private CommandResults() {}

    /**
     * Returns if the command was carried out.
     *
     * @param action what was tried, for the message
     * @throws NoSuchJobException if there is no such job
     * @throws WrongStateException if the job's state does not allow it
     * @throws IllegalArgumentException if the job has saved no such step
     */
    public static void require(String action, JobId id, CommandResult result) {
        switch (result) {
            case CommandResult.Done _, CommandResult.StillRunning _ -> {
            }
            case CommandResult.NotFound _ -> throw new NoSuchJobException(id);
            case CommandResult.WrongState(var state) -> throw new WrongStateException(action, id, state);
            case CommandResult.NoSuchStep unknown -> throw new IllegalArgumentException(unknown.message(id));
        }
    }
}
