package dev.heddle.external;

/** A fault of a worker, or of the job that it runs. {@link FaultResponse} decides what to do about it. */
sealed interface WorkerFault {

    /** The process ended or closed its input without being asked to. */
    record Exited() implements WorkerFault {}

    /**
     * The worker did not answer a ping.
     *
     * @param consecutive how often in a row
     */
    record HealthCheckFailed(int consecutive) implements WorkerFault {}

    /** The process could not be started, or the worker did not complete the handshake in time. */
    record NotStarted() implements WorkerFault {}

    /** The worker was told to stop its job and did not do so in time. */
    record JobNotStopped() implements WorkerFault {}

    /**
     * The worker violated the protocol.
     *
     * @param consecutive how often in a row
     */
    record ProtocolViolated(int consecutive) implements WorkerFault {}

    /** The worker reported that its job failed. */
    record JobFailed() implements WorkerFault {}

    /** The worker reported that its job failed, and that it cannot run any more jobs. */
    record Fatal() implements WorkerFault {}
}
