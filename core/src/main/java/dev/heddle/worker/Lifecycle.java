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

/**
 * The state, health and recent history of one worker. {@link WorkerState} defines the transitions. Safe for use by many
 * threads.
 */
public final class Lifecycle {

    /** How many state changes the history keeps. */
    public static final int MAX_HISTORY = 20;

    private final String worker;
    private final InstantSource clock;
    private final Consumer<StateChange> listener;
    private final Deque<StateChange> history = new ArrayDeque<>();
    private WorkerState state = WorkerState.INITIALIZING;
    private Health health = Health.UNKNOWN;
    private Instant since;

    /**
     * Creates the lifecycle of a worker that is INITIALIZING.
     *
     * @param worker the id of the worker
     * @param clock where the time comes from
     * @param listener called after every change, on the thread that made it
     */
    public Lifecycle(String worker, InstantSource clock, Consumer<StateChange> listener) {
        this.worker = worker;
        this.clock = clock;
        this.listener = listener;
        this.since = clock.instant();
    }

    /**
     * Changes the state.
     *
     * @param metadata what else is known about the change, such as the job
     * @throws InvalidTransitionException if there is no such transition; the state stays the same
     */
    public void transition(WorkerState to, TransitionReason reason, Map<String, String> metadata) {
        StateChange change;
        synchronized (this) {
            change = change(to, reason, metadata);
        }
        listener.accept(change);
    }

    /**
     * Changes the state, without metadata.
     *
     * @throws InvalidTransitionException if there is no such transition; the state stays the same
     */
    public void transition(WorkerState to, TransitionReason reason) {
        transition(to, reason, Map.of());
    }

    /**
     * Changes the state if the worker is in one of the expected states.
     *
     * @return whether it was
     * @throws InvalidTransitionException if there is no such transition; the state stays the same
     */
    public boolean transitionFrom(Set<WorkerState> expected, WorkerState to, TransitionReason reason,
            Map<String, String> metadata) {
        StateChange change;
        synchronized (this) {
            if (!expected.contains(state)) {
                return false;
            }
            change = change(to, reason, metadata);
        }
        listener.accept(change);
        return true;
    }

    /** Changes from READY to BUSY if the worker is healthy; returns whether it did. */
    boolean checkOut(Map<String, String> metadata) {
        StateChange change;
        synchronized (this) {
            if (!takesWork()) {
                return false;
            }
            change = change(WorkerState.BUSY, TransitionReason.CHECKOUT, metadata);
        }
        listener.accept(change);
        return true;
    }

    private StateChange change(WorkerState to, TransitionReason reason, Map<String, String> metadata) {
        if (!state.allows(to, reason)) {
            throw new InvalidTransitionException(worker, state, to, reason);
        }
        Instant now = clock.instant();
        if (history.size() == MAX_HISTORY) {
            history.removeLast();
        }
        StateChange change = new StateChange(state, to, reason, elapsed(since, now), now, Map.copyOf(metadata));
        history.addFirst(change);
        health = switch (reason) {
            case INIT_COMPLETE, CHECKIN, HEALTH_CHECK_PASSED -> Health.HEALTHY;
            case HEALTH_CHECK_FAILED, ERROR, TIMEOUT, PROCESS_EXIT -> Health.UNHEALTHY;
            case CHECKOUT, SHUTDOWN -> health;
        };
        state = to;
        since = now;
        return change;
    }

    /** Never negative, even if the system clock was set back. */
    private static Duration elapsed(Instant from, Instant to) {
        Duration between = Duration.between(from, to);
        return between.isNegative() ? Duration.ZERO : between;
    }

    /** Returns the state. */
    public synchronized WorkerState state() {
        return state;
    }

    /** Returns the health. */
    public synchronized Health health() {
        return health;
    }

    /** Returns when the state last changed. */
    public synchronized Instant since() {
        return since;
    }

    /** Returns whether the worker is READY and healthy. */
    public synchronized boolean takesWork() {
        return state == WorkerState.READY && health == Health.HEALTHY;
    }

    /** Returns the last state changes, newest first. */
    public synchronized List<StateChange> history() {
        return List.copyOf(history);
    }
}
