package dev.heddle.pool;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import dev.heddle.job.JobId;
import dev.heddle.worker.Lifecycle;
import dev.heddle.worker.TransitionReason;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worker.WorkerState;
import org.jspecify.annotations.Nullable;

/** A slot for one job at a time. Its thread exists only while it has something to do. */
final class Worker {

    private final String id;
    private final String group;
    private final Lifecycle lifecycle;
    private final AtomicLong jobs = new AtomicLong();
    private volatile @Nullable JobId job;

    Worker(String id, String group, InstantSource clock) {
        this.id = id;
        this.group = group;
        this.lifecycle = new Lifecycle(id, clock);
        lifecycle.go(WorkerState.READY, TransitionReason.INIT_COMPLETE);
    }

    String id() {
        return id;
    }

    Lifecycle lifecycle() {
        return lifecycle;
    }

    void checkOut(JobId taken) {
        job = taken;
        lifecycle.go(WorkerState.BUSY, TransitionReason.CHECKOUT, Map.of("job", taken.toString()));
    }

    void checkIn() {
        lifecycle.go(WorkerState.READY, TransitionReason.CHECKIN);
        jobs.incrementAndGet();
        job = null;
    }

    void terminate(TransitionReason reason) {
        if (lifecycle.state().isLive()) {
            lifecycle.go(WorkerState.TERMINATING, reason);
            lifecycle.go(WorkerState.TERMINATED, reason);
        }
        job = null;
    }

    WorkerSnapshot snapshot() {
        return new WorkerSnapshot(id, group, lifecycle.state(), lifecycle.health(), job, lifecycle.since(),
                jobs.get());
    }
}
