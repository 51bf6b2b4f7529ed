package dev.heddle.pool;

import dev.heddle.job.JobId;

/**
 * Finds the work on this machine that continues after its node ended, so that the next node can take it over. See
 * {@link dev.heddle.job.JobContext#detachFromNode}. Must be safe for use by many threads.
 */
public interface DetachedWork {

    /** Returns the permanent name of this machine. */
    String machine();

    /** Returns an id that changes when the machine reboots, because no work survives that. */
    String boot();

    /**
     * Returns what is known about the work of an attempt that no node on this machine looks after. If the work has not
     * started when this is called, it must never start.
     */
    Status status(JobId job, int attempt);

    /** What is known about the work of an attempt. */
    enum Status {
        /** Nothing is known: if there is work, it belongs to another node. */
        UNKNOWN,
        /** The work continues, or has ended and nobody has recorded its result yet. */
        ADOPTABLE,
        /** The work never started, or nothing is left of it. */
        GONE
    }
}
