package dev.heddle.worker;

import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.heddle.job.JobId;
import org.jspecify.annotations.Nullable;

/** A slot for one job at a time, with the life it leads. What it runs on, a thread or a process, is its maker's. */
public final class Worker {

    private final String id;
    private final String group;
    private final Lifecycle lifecycle;
    private final Supplier<Map<String, String>> facts;
    private final AtomicLong jobs = new AtomicLong();
    private volatile boolean windingDown;
    private volatile boolean leaving;
    private volatile boolean ending;
    private volatile @Nullable JobId job;

    /**
     * A worker that is INITIALIZING.
     *
     * @param facts what else is known of it at any moment, such as its pid
     * @param told hears of every change of its state, after the change
     */
    public Worker(String id, String group, InstantSource clock, Supplier<Map<String, String>> facts,
            Consumer<StateChange> told) {
        this.id = id;
        this.group = group;
        this.lifecycle = new Lifecycle(id, clock, told);
        this.facts = facts;
    }

    public String id() {
        return id;
    }

    public String group() {
        return group;
    }

    public Lifecycle lifecycle() {
        return lifecycle;
    }

    /** How many jobs it has ended. */
    public long jobs() {
        return jobs.get();
    }

    /** Whether it could be given a job now. */
    public boolean takesWork() {
        return !leaving && lifecycle.takesWork();
    }

    /** Takes the job, if it takes work at all. */
    public boolean checkOut(JobId taken) {
        JobId before = job;
        // First, so that whoever ends the job before does not check in for this one.
        job = taken;
        if (leaving || !lifecycle.checkOut(Map.of("job", taken.toString()))) {
            job = before;
            return false;
        }
        ending = false;
        return true;
    }

    /** Its job is done but for the formalities: who hears of the result may count on the worker. */
    public void ending() {
        ending = true;
    }

    /** Whether it takes work, or will in a moment. */
    public boolean isAvailable() {
        // In this order: it may become READY between the two looks.
        return (ending && !leaving && lifecycle.state() == WorkerState.BUSY) || takesWork();
    }

    /** The job is over; READY again, unless it fell ill or ended meanwhile. False where it has another job by now. */
    public boolean checkIn(JobId ended) {
        jobs.incrementAndGet();
        if (job != null && !ended.equals(job)) {
            return false;
        }
        job = null;
        lifecycle.goFrom(Set.of(WorkerState.BUSY), WorkerState.READY, TransitionReason.CHECKIN, Map.of());
        return true;
    }

    /** Is given no new session where another worker could have it; its jobs and the sessions it has go on. */
    public void windDown() {
        windingDown = true;
    }

    public boolean isWindingDown() {
        return windingDown;
    }

    /** Takes no further job; the one it runs goes on. */
    public void leave() {
        leaving = true;
    }

    public boolean isLeaving() {
        return leaving;
    }

    /** Ends it, as far as its state goes. */
    public void terminate(TransitionReason reason) {
        if (lifecycle.state().isLive()) {
            if (lifecycle.state() != WorkerState.TERMINATING) {
                lifecycle.go(WorkerState.TERMINATING, reason);
            }
            lifecycle.go(WorkerState.TERMINATED, reason);
        }
        job = null;
    }

    public WorkerSnapshot snapshot() {
        return new WorkerSnapshot(id, group, lifecycle.state(), lifecycle.health(), job, lifecycle.since(),
                jobs.get(), facts.get());
    }
}
