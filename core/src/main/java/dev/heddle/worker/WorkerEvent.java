package dev.heddle.worker;

import java.time.Duration;

/** Something that happened to a worker. */
public sealed interface WorkerEvent {

    /** Returns the id of the worker. */
    String worker();

    /** Returns the group of the worker. */
    String group();

    /**
     * The worker changed its state.
     *
     * @param worker the id of the worker
     * @param group its group
     * @param change the change
     */
    record Changed(String worker, String group, StateChange change) implements WorkerEvent {}

    /**
     * The health of the worker was checked.
     *
     * @param worker the id of the worker
     * @param group its group
     * @param healthy whether the check passed
     * @param took how long it took to answer, or how long the check waited
     */
    record HealthChecked(String worker, String group, boolean healthy, Duration took) implements WorkerEvent {}

    /**
     * A job of a session was routed to the worker.
     *
     * @param worker the id of the worker
     * @param group its group
     * @param session the session
     * @param result whether the worker could take the job
     */
    record Routed(String worker, String group, String session, Result result) implements WorkerEvent {

        /** How the route turned out. */
        public enum Result {
            /** The job begins the session. */
            NEW,
            /** The worker has the session, and took the job. */
            HIT,
            /** The worker has the session, and is busy. */
            MISS
        }
    }

    /**
     * The worker is going to be replaced by another one.
     *
     * @param worker the id of the worker
     * @param group its group
     * @param reason why
     * @param delay how long until the other one starts; it grows if replacements keep failing
     */
    record Replaced(String worker, String group, String reason, Duration delay) implements WorkerEvent {}
}
