package dev.heddle.engine.dispatch;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import dev.heddle.engine.support.Wakeup;
import dev.heddle.env.Environment;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the dispatcher. {@link #workAvailable()} says that the store may have something to claim, {@link
 * #roomAvailable()} that a worker may be free. The dispatcher tells the two apart by the count of work seen so far.
 */
public final class Demand {

    private final Wakeup wakeup;
    private final AtomicLong workSeen = new AtomicLong();
    private final AtomicLong existingWorkSeen = new AtomicLong();
    private volatile boolean listening = true;

    public Demand(Environment env) {
        this.wakeup = Wakeup.byClock(env);
    }

    /** Says that the store may have jobs to claim. */
    public void workAvailable() {
        existingWorkSeen.incrementAndGet();
        countAndWake();
    }

    /** Says that jobs were submitted here. These cannot be parked for a worker, unlike other work. */
    public void jobsSubmitted() {
        countAndWake();
    }

    private void countAndWake() {
        workSeen.incrementAndGet();
        wakeup.raise();
    }

    /** Says that a worker may be free. */
    public void roomAvailable() {
        wakeup.raise();
    }

    /** Says whether notifications of other nodes arrive here. */
    public void setListening(boolean heard) {
        listening = heard;
        wakeup.raise();
    }

    boolean isListening() {
        return listening;
    }

    long workSeen() {
        return workSeen.get();
    }

    /** Returns the count of work that was not just submitted here. */
    long existingWorkSeen() {
        return existingWorkSeen.get();
    }

    void await(@Nullable Duration atMost) {
        wakeup.await(atMost);
    }
}
