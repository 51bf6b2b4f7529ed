package dev.heddle.worker;

import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.heddle.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * A worker: runs one job at a time. Whether it is a thread or a process is up to its {@link Workforce}. Safe for use by
 * many threads.
 */
public final class Worker {

    private final String id;
    private final String group;
    private final Lifecycle lifecycle;
    private final Supplier<Map<String, String>> facts;
    private final AtomicLong jobs = new AtomicLong();
    private volatile boolean windingDown;
    private volatile boolean retiring;
    private volatile boolean finishing;
    private volatile @Nullable JobId job;

    /**
     * Creates a worker that is INITIALIZING.
     *
     * @param id its id, unique among all nodes
     * @param group the group it belongs to
     * @param clock where the time comes from
     * @param facts supplies what else is known about it, such as its pid
     * @param listener called after every change of its state, on the thread that made it
     */
    public Worker(String id, String group, InstantSource clock, Supplier<Map<String, String>> facts,
            Consumer<StateChange> listener) {
        this.id = id;
        this.group = group;
        this.lifecycle = new Lifecycle(id, clock, listener);
        this.facts = facts;
    }

    /** Returns the id. */
    public String id() {
        return id;
    }

    /** Returns the group. */
    public String group() {
        return group;
    }

    /** Returns the state, health and history. */
    public Lifecycle lifecycle() {
        return lifecycle;
    }

    /** Returns how many jobs the worker has ended. */
    public long jobs() {
        return jobs.get();
    }

    /** Returns whether the worker can take a job now. */
    public boolean takesWork() {
        return !retiring && lifecycle.takesWork();
    }

    /** Takes a job; returns false if the worker takes no work. */
    public boolean checkOut(JobId taken) {
        JobId before = job;
        // Set first: a late check-in of the previous job must not end this one.
        job = taken;
        if (retiring || !lifecycle.checkOut(Map.of("job", taken.toString()))) {
            job = before;
            return false;
        }
        finishing = false;
        return true;
    }

    /** Marks the job as all but done: the worker counts as available to anyone who learns of the result. */
    public void markFinishing() {
        finishing = true;
    }

    /** Returns whether the worker takes work, or is about to. */
    public boolean isAvailable() {
        // In this order, because the worker may become READY in between.
        return (finishing && !retiring && lifecycle.state() == WorkerState.BUSY) || takesWork();
    }

    /**
     * Ends a job. The worker becomes READY again, unless it is no longer BUSY.
     *
     * @return false if the worker has another job by now
     */
    public boolean checkIn(JobId ended) {
        jobs.incrementAndGet();
        if (job != null && !ended.equals(job)) {
            return false;
        }
        job = null;
        lifecycle.transitionFrom(Set.of(WorkerState.BUSY), WorkerState.READY, TransitionReason.CHECKIN, Map.of());
        return true;
    }

    /** Keeps new sessions away from the worker if another one can have them. Its jobs and sessions go on. */
    public void windDown() {
        windingDown = true;
    }

    /** Returns whether new sessions are kept away from the worker. */
    public boolean isWindingDown() {
        return windingDown;
    }

    /** Stops the worker from taking jobs. The job it runs goes on. */
    public void retire() {
        retiring = true;
    }

    /** Returns whether the worker takes no more jobs. */
    public boolean isRetiring() {
        return retiring;
    }

    /** Changes the state to TERMINATED, unless it is already. */
    public void terminate(TransitionReason reason) {
        if (lifecycle.state().isLive()) {
            if (lifecycle.state() != WorkerState.TERMINATING) {
                lifecycle.transition(WorkerState.TERMINATING, reason);
            }
            lifecycle.transition(WorkerState.TERMINATED, reason);
        }
        job = null;
    }

    /** Returns the worker as it is now. */
    public WorkerSnapshot snapshot() {
        return new WorkerSnapshot(id, group, lifecycle.state(), lifecycle.health(), job, lifecycle.since(), jobs.get(),
                facts.get());
    }
}
