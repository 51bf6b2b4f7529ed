package dev.heddle.pool;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * Wakes the dispatcher. {@link #work()} says that the store may have something new to claim, {@link #room()}
 * that a worker may be free; the dispatcher can tell the two apart by the work seen so far.
 */
final class Demand {

    private final Signal signal;
    private final AtomicLong workSeen = new AtomicLong();
    private final AtomicLong oldWorkSeen = new AtomicLong();
    private volatile boolean deaf;

    Demand(InstantSource clock) {
        this.signal = new Signal(clock);
    }

    void work() {
        oldWorkSeen.incrementAndGet();
        newWork();
    }

    /** Jobs were submitted here: of the things to claim, the only ones that cannot have been put aside for one worker. */
    void newWork() {
        workSeen.incrementAndGet();
        signal.raise();
    }

    void room() {
        signal.raise();
    }

    /** Says whether what other nodes announce arrives here. */
    void hearing(boolean heard) {
        deaf = !heard;
        signal.raise();
    }

    boolean isDeaf() {
        return deaf;
    }

    long workSeen() {
        return workSeen.get();
    }

    /** The work seen so far that was not just submitted here. */
    long oldWorkSeen() {
        return oldWorkSeen.get();
    }

    void await(@Nullable Instant until) {
        signal.await(until);
    }
}
