package dev.heddle.worker;

/** Whether a worker can be trusted with a job. Only a worker that is READY and HEALTHY takes work. */
public enum Health {
    /** The worker works. */
    HEALTHY,
    /** The last health check, or the last job, failed because of the worker. */
    UNHEALTHY,
    /** The worker has not started yet. */
    UNKNOWN
}
