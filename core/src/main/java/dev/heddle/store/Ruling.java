package dev.heddle.store;

import dev.heddle.job.JobState;

/** What became of a {@link Command}. */
public sealed interface Ruling {

    /**
     * It is so now.
     *
     * @param count how many jobs, or queues, it changed; 0 where all was so already
     */
    record Done(int count) implements Ruling {}

    /** The job is marked as cancelled; its attempt still has to be told to stop, and has not ended. */
    record StillRunning(Fence attempt) implements Ruling {}

    record NotFound() implements Ruling {}

    /** The job is not in a state where that can be done. */
    record WrongState(JobState state) implements Ruling {}
}
