package dev.heddle.simulation;

import dev.heddle.env.Environment;
import dev.heddle.job.JobId;
import dev.heddle.store.JobReader;
import dev.heddle.store.Store;

/** What workloads may use of the node that runs them: a simulated one, or a process of its own. */
interface Host {

    /** Returns the name of this life of the node. */
    String name();

    /** Returns the time, randomness and threads of the node. */
    Environment env();

    /** Returns the node's own connection to the store. */
    Store store();

    /** Returns the work on the machine that goes on without the node. */
    DetachedRuns runs();

    /** Returns a view of the store that has no faults. */
    JobReader observer();

    /**
     * Tells of something that happened to a job. It is known once this method returns, even if the node dies then.
     *
     * @param attempt the attempt that tells of it; 0 if a client does
     */
    void report(JobId job, int attempt, Report.Event event);

    /** Kills the node at once. Does not return, or lets the calling thread never run again. */
    void die();
}
