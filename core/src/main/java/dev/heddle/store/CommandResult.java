package dev.heddle.store;

import java.util.List;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Limits;

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

    /**
     * The job has no saved step of the name that the command gives.
     *
     * @param step that name
     * @param known the steps that it has, in the order in which they were saved
     */
    record NoSuchStep(String step, List<String> known) implements CommandResult {

        /** Copies the list. */
        public NoSuchStep {
            known = List.copyOf(known);
        }

        /** Returns the refusal as a sentence. */
        public String message(JobId id) {
            return "job " + id + " has no saved step '" + Limits.quoted(step) + "'; "
                    + (known.isEmpty() ? "it has saved none" : "it has saved: " + String.join(", ", known));
        }
    }
}
