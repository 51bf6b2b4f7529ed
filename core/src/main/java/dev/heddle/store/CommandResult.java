package dev.heddle.store;

import dev.heddle.job.JobState;

/** The result of an {@link AdminCommand}. */
public sealed interface CommandResult {

    /**
     * The command was executed.
     *
     * @param count how many jobs or queues it changed; 0 if everything was as ordered already
     */
    record Done(int count) implements CommandResult {}

    /**
     * The job is cancelled, but an attempt still runs and has to be stopped by its node.
     *
     * @param attempt the attempt
     */
    record StillRunning(Fence attempt) implements CommandResult {}

    /** There is no such job. */
    record NotFound() implements CommandResult {}

    /**
     * The command cannot be executed in the state that the job is in.
     *
     * @param state the state
     */
    record WrongState(JobState state) implements CommandResult {}
}
