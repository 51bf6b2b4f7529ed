package dev.heddle.worker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The state, health and bounded history of one worker. {@link WorkerState} says which ways there are. */
public final class Lifecycle {

    /** How many changes are kept. */
    public static final int HISTORY = 20;

    private final String worker;
    private final InstantSource clock;
    private final Consumer<StateChange> told;
    private final Deque<StateChange> history = new ArrayDeque<>();
    private WorkerState state = WorkerState.INITIALIZING;
    private Health health = Health.UNKNOWN;
    private long sinceNanos = System.nanoTime();
    private Instant since;

    /** The callback hears of every change, after it, on the thread that made it. */
    public Lifecycle(String worker, InstantSource clock, Consumer<StateChange> told) {
        this.worker = worker;
        this.clock = clock;
        this.told = told;
        this.since = clock.instant();
    }

    /** Goes to another state, or throws and stays. */
    public void go(WorkerState to, TransitionReason reason, Map<String, String> metadata) {
        StateChange change;
        synchronized (this) {
            change = change(to, reason, metadata);
        }
        told.accept(change);
    }

    public void go(WorkerState to, TransitionReason reason) {
        go(to, reason, Map.of());
    }

    /** Goes to another state if it is in one of the expected ones; says whether it was. */
    public boolean goFrom(Set<WorkerState> expected, WorkerState to, TransitionReason reason,
            Map<String, String> metadata) {
        StateChange change;
        synchronized (this) {
            if (!expected.contains(state)) {
                return false;
            }
            change = change(to, reason, metadata);
        }
        told.accept(change);
        return true;
    }

    /** Goes from READY to BUSY if it is healthy, too; says whether it did. */
    boolean checkOut(Map<String, String> metadata) {
        StateChange change;
        synchronized (this) {
            if (!takesWork()) {
                return false;
            }
            change = change(WorkerState.BUSY, TransitionReason.CHECKOUT, metadata);
        }
        told.accept(change);
        return true;
    }

    private StateChange change(WorkerState to, TransitionReason reason, Map<String, String> metadata) {
        if (!state.allows(to, reason)) {
            throw new InvalidTransitionException(worker, state, to, reason);
        }
        long nanos = System.nanoTime();
        Instant now = clock.instant();
        if (history.size() == HISTORY) {
            history.removeLast();
        }
        StateChange change = new StateChange(state, to, reason, Duration.ofNanos(nanos - sinceNanos), now,
                Map.copyOf(metadata));
        history.addFirst(change);
        health = switch (reason) {
            case INIT_COMPLETE, CHECKIN, HEALTH_CHECK_PASSED -> Health.HEALTHY;
            case HEALTH_CHECK_FAILED, ERROR, TIMEOUT, PROCESS_EXIT -> Health.UNHEALTHY;
            case CHECKOUT, SHUTDOWN -> health;
        };
        state = to;
        sinceNanos = nanos;
        since = now;
        return change;
    }

    public synchronized WorkerState state() {
        return state;
    }

    public synchronized Health health() {
        return health;
    }

    /** When it came into its state. */
    public synchronized Instant since() {
        return since;
    }

    public synchronized boolean takesWork() {
        return state == WorkerState.READY && health == Health.HEALTHY;
    }

    /** Newest first. */
    public synchronized List<StateChange> history() {
        return List.copyOf(history);
    }
}
