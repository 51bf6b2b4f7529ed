package dev.heddle.worker;

import java.util.Set;

/** Where a worker stands, and where it may go from there. */
public enum WorkerState {
    INITIALIZING, READY, BUSY, DEGRADED, TERMINATING, TERMINATED;

    /** The ordinary ways out. A live worker may besides always end as TERMINATED when its process exits. */
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

    /** Whether a worker in this state may go to that one for that reason. */
    public boolean allows(WorkerState to, TransitionReason reason) {
        boolean exit = reason == TransitionReason.PROCESS_EXIT && to == TERMINATED && this != TERMINATED;
        return exit || next().contains(to);
    }

    public boolean isLive() {
        return this != TERMINATED;
    }
}
