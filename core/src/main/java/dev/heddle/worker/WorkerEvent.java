package dev.heddle.worker;

import java.time.Duration;

/** Something that happened to a worker. */
public sealed interface WorkerEvent {

    String worker();

    String group();

    /** It changed its state. */
    record Changed(String worker, String group, StateChange change) implements WorkerEvent {}

    /**
     * It was asked whether it is well.
     *
     * @param took how long the answer, or the wait for it, took
     */
    record HealthChecked(String worker, String group, boolean healthy,
            Duration took) implements WorkerEvent {}

    /** A job of a session came to it, or should have. */
    record Routed(String worker, String group, String session, Result result) implements WorkerEvent {

        /** What came of keeping to the session's worker. */
        public enum Result {
            /** The job begins the session. */
            NEW,
            /** The worker had the session before, and took the job. */
            HIT,
            /** The worker had the session before, and was busy. */
            MISS
        }
    }

    /**
     * Another one is started in its place.
     *
     * @param in after this time, which grows where those in its place are lost again and again
     */
    record Replaced(String worker, String group, String reason, Duration in) implements WorkerEvent {}
}
