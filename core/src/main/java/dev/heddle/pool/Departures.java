package dev.heddle.pool;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.Transition;
import dev.heddle.store.Verdict;

/** Counts how attempts end while a pool closes, each once its end is in the store. */
final class Departures {

    private final AtomicInteger finished = new AtomicInteger();
    private final AtomicInteger requeued = new AtomicInteger();
    private final AtomicInteger handedBack = new AtomicInteger();
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicInteger abandoned = new AtomicInteger();

    void ended(Ending ending, Verdict verdict) {
        boolean written = verdict != Verdict.LOST;
        boolean gaveWay = ending.transition() instanceof Transition.Requeue;
        if (!written || ending.run().isAbandoned()) {
            abandoned.incrementAndGet();
        } else {
            (gaveWay ? requeued : finished).incrementAndGet();
        }
    }

    void handedBack(Verdict verdict) {
        (verdict == Verdict.LOST ? abandoned : handedBack).incrementAndGet();
    }

    void left() {
        left.incrementAndGet();
    }

    /** Whatever is still in flight then is left to the next opening. */
    ClosingReport report(int inFlight, Duration took) {
        return new ClosingReport(finished.get(), requeued.get(), handedBack.get(), left.get(),
                abandoned.get() + inFlight, took);
    }
}
