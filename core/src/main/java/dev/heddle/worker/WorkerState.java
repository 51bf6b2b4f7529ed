package dev.heddle.worker;

import java.util.Set;

/** The states of a worker, and the transitions between them. */
public enum WorkerState {
    /** The worker starts. */
    INITIALIZING,
    /** The worker is idle. */
    READY,
    /** The worker runs a job. */
    BUSY,
    /** The worker is ill and takes no work until it recovers. */
    DEGRADED,
    /** The worker is being stopped. */
    TERMINATING,
    /** The worker is gone. */
    TERMINATED;

    /** The usual transitions. In addition, the exit of its process terminates a worker in any state. */
    private Set<WorkerState> next() {
        return switch (this) {
            case INITIALIZING -> Set.of(READY, TERMINATING, TERMINATED);
            case READY -> Set.of(BUSY, DEGRADED, TERMINATING);
            case BUSY -> Set.of(READY, DEGRADED, TERMINATING);
            case DEGRADED -> Set.of(READY, TERMINATING);
            case TERMINATING -> Set.of(TERMINATED);
            case TERMINATED -> Set.of();
        };
    }

    /** Returns whether a worker may change from this state to another for a reason. */
    public boolean allows(WorkerState to, TransitionReason reason) {
        boolean exit = reason == TransitionReason.PROCESS_EXIT && to == TERMINATED && this != TERMINATED;
        return exit || next().contains(to);
    }

    /** Returns whether the worker is not TERMINATED. */
    public boolean isLive() {
        return this != TERMINATED;
    }
}
