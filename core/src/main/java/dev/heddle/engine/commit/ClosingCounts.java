package dev.heddle.engine.commit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.Transition;
import dev.heddle.pool.ClosingReport;
import dev.heddle.store.Verdict;

/** Counts how attempts end while a pool closes, each after its commit. */
public final class ClosingCounts {

    private final AtomicInteger finished = new AtomicInteger();
    private final AtomicInteger requeued = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();
    private final AtomicInteger detached = new AtomicInteger();
    private final AtomicInteger abandoned = new AtomicInteger();

    void ended(AttemptEnd end, Verdict verdict) {
        boolean isWritten = verdict != Verdict.LOST;
        boolean wasReleased = end.transition() instanceof Transition.Requeue;
        if (!isWritten || end.run().isAbandoned()) {
            abandoned.incrementAndGet();
        } else {
            (wasReleased ? requeued : finished).incrementAndGet();
        }
    }

    void released(Verdict verdict) {
        (verdict == Verdict.LOST ? abandoned : released).incrementAndGet();
    }

    void detached() {
        detached.incrementAndGet();
    }

    /** Returns the report. Attempts that are still in flight count as abandoned. */
    public ClosingReport report(int inFlight, Duration took) {
        return new ClosingReport(finished.get(), requeued.get(), released.get(), detached.get(),
                abandoned.get() + inFlight, took);
    }
}
