package dev.heddle.pool;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.heddle.job.JobState;
import dev.heddle.store.Store;
import dev.heddle.store.Tally;

/** When nothing is left that runs or waits; paused jobs do not count. */
record Idleness(Store store, Ledger ledger, List<WorkerGroup> groups) {

    /** Whether it came within the time. */
    boolean await(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (long pause = 5;; pause = Math.min(pause * 2, 200)) {
            Duration left = Duration.ofNanos(deadline - System.nanoTime());
            if (!areFree(left)) {
                return false;
            }
            // In this order: the last jobs may begin between two looks, and an end that is in the store already has
            // its worker still to be freed and its followers still to be told.
            if (store.tally().count(Idleness::isMoving) == 0 && areFree(left)
                    && ledger.unsettledEnds() == 0) {
                return true;
            }
            if (left.toMillis() <= 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(Math.min(pause, left.toMillis()));
        }
    }

    private boolean areFree(Duration atMost) throws InterruptedException {
        for (WorkerGroup group : groups) {
            if (!group.awaitIdle(atMost)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isMoving(Tally.Line line) {
        return line.state() != JobState.PAUSED;
    }
}
