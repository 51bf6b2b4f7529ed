package dev.heddle.pool;

import dev.heddle.job.JobId;

/** Knows the work on this machine that goes on when its node ends, see {@link dev.heddle.job.JobContext#outliveNode}. */
public interface Custodian {

    /** The machine's name for good. */
    String machine();

    /** This run of the machine; no work outlives that. */
    String boot();

    /** What is here of an attempt that no node on this machine sees to. What was not started by now must never be. */
    Trace trace(JobId job, int attempt);

    /** What is known of an attempt. */
    enum Trace {
        /** Nothing: whatever there is of it belongs to another node. */
        NONE,
        /** Its work goes on, or has ended and nobody took note of it. */
        WORK,
        /** It never came to start its work, or there is nothing left of it to go on with. */
        REMAINS
    }
}
