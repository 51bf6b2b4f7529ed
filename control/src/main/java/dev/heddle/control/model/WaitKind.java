package dev.heddle.control.model;

/** What keeps a job from running. */
public enum WaitKind {
    /** The job has ended. */
    ENDED,
    /** The job runs. */
    RUNNING,
    /** The job was cancelled, and its handler has not returned yet. */
    STOPPING,
    /** A node has claimed the job and not started it yet. */
    CLAIMED,
    /** Someone paused the job. */
    PAUSED,
    /** The job waits for its children. */
    CHILDREN_LEFT,
    /** The job is scheduled for a time. */
    SCHEDULED,
    /** The job failed and waits for its next attempt. */
    RETRY_BACKOFF,
    /** The node that ran the job died, and such jobs start again one after the other. */
    RECOVERY_STAGE,
    /** The queue is paused. */
    QUEUE_PAUSED,
    /** No node is alive. */
    NO_NODE,
    /** No node has a handler for the type. */
    NO_HANDLER,
    /** Nodes do not say what they run, because they are of an older version. */
    UNKNOWN,
    /** The nodes that have a handler are closing. */
    NODE_CLOSING,
    /** As many jobs of a key run as its limit allows. */
    LIMIT_FULL,
    /** The rate of a limit is used up. */
    RATE_USED_UP,
    /** A gate holds the job back, such as a budget that is used up. */
    GATE_CLOSED,
    /** The circuit breaker of the type is open. */
    BREAKER_OPEN,
    /** As many jobs of the type run on the nodes as may run on one. */
    TYPE_FULL,
    /** The worker that has the session of the job is busy. */
    SESSION_BUSY,
    /** The session of the job was lost with its worker. */
    SESSION_LOST,
    /** Nodes start few jobs at once, because one of them crashed a node. */
    SUSPECTS_FIRST,
    /** The job may have crashed its node, so it starts with care. */
    SUSPECT,
    /** A job with the same dedupe key has to end first. */
    BEHIND_JOB,
    /** The worker group of the type has no worker that takes jobs. */
    NO_WORKER,
    /** All workers are busy. */
    WORKERS_BUSY,
    /** Nothing: a worker is free and about to take the job. */
    NEXT
}
