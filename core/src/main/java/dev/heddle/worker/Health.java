package dev.heddle.worker;

/** Whether a worker can be trusted with a job. Only a READY and HEALTHY one takes work. */
public enum Health {
    HEALTHY, UNHEALTHY, UNKNOWN
}
