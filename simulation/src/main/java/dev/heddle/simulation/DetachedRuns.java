package dev.heddle.simulation;

import java.time.Duration;

import dev.heddle.job.JobId;
import dev.heddle.pool.DetachedWork;

/** Work on one machine that goes on without a node, such as processes that are not children of it. */
interface DetachedRuns extends DetachedWork {

    /**
     * Begins the work of an attempt for a node, unless it was begun before; then the node looks after it from now on.
     *
     * @return whether it begins now
     * @throws IllegalStateException if the work must never begin
     */
    boolean begin(JobId job, int attempt, Duration time, Host host);

    /** Returns how long the work still takes; zero if it is done. */
    Duration left(JobId job, int attempt);

    /** Leaves the work to itself. */
    void leave(JobId job, int attempt);

    /** Ends the work before its time. */
    void kill(JobId job, int attempt);
}
