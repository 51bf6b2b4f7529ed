package dev.heddle.worker;

/** Why a worker changed its state. */
public enum TransitionReason {
    /** The worker has started. */
    INIT_COMPLETE,
    /** The worker takes a job. */
    CHECKOUT,
    /** The worker has finished a job. */
    CHECKIN,
    /** A health check failed. */
    HEALTH_CHECK_FAILED,
    /** A health check passed. */
    HEALTH_CHECK_PASSED,
    /** The worker is stopped on purpose. */
    SHUTDOWN,
    /** The worker failed. */
    ERROR,
    /** The worker did not answer in time. */
    TIMEOUT,
    /** The process of the worker exited. */
    PROCESS_EXIT
}
