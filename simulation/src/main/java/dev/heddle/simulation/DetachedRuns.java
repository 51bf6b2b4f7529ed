package dev.heddle.simulation;

import java.time.Duration;

import dev.heddle.job.JobId;
import dev.heddle.pool.DetachedWork;

/** Work on one machine that goes on without a node, such as processes that are not children of it. */
interface DetachedRuns extends DetachedWork {

    /** Lets a node look after the work of an attempt that was begun before; returns false if there is none. */
    boolean resume(JobId job, int attempt, Host host);

    /**
     * Begins the work of an attempt for a node.
     *
     * @throws IllegalStateException if the work must never begin
     */
    void begin(JobId job, int attempt, Duration time, Host host);

    /** Returns how long the work still takes; zero if it is done. */
    Duration left(JobId job, int attempt);

    /** Leaves the work to itself. */
    void leave(JobId job, int attempt);

    /** Ends the work before its time. */
    void kill(JobId job, int attempt);
}
