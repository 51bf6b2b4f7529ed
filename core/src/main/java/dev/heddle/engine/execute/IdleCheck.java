package dev.heddle.engine.execute;

import java.time.Duration;
import java.util.List;

import dev.heddle.engine.commit.Ledger;
import dev.heddle.env.Environment;
import dev.heddle.job.JobState;
import dev.heddle.job.Limits;
import dev.heddle.store.JobCounts;
import dev.heddle.store.Store;

/** Waits until no job runs or waits. Paused jobs do not count. */
public record IdleCheck(Store store, Ledger ledger, List<WorkerGroup> groups, Environment env) {

    /** Returns whether the pool became idle within the time. */
    public boolean await(Duration timeout) throws InterruptedException {
        long deadline = env.nanoTime() + Limits.waitNanos(timeout);
        for (long pause = 5;; pause = Math.min(pause * 2, 200)) {
            Duration left = Duration.ofNanos(deadline - env.nanoTime());
            if (!areGroupsIdle(left)) {
                return false;
            }
            // In this order: the last jobs may start between two checks, and an end that is already in the store may
            // still have to free its worker and submit its sequel.
            if (store.countJobs().count(IdleCheck::isUnfinished) == 0 && areGroupsIdle(left)
                    && ledger.unsettledEnds() == 0) {
                return true;
            }
            if (left.toMillis() <= 0) {
                return false;
            }
            env.sleep(Duration.ofMillis(Math.min(pause, left.toMillis())));
        }
    }

    private boolean areGroupsIdle(Duration atMost) throws InterruptedException {
        for (WorkerGroup group : groups) {
            if (!group.awaitIdle(atMost)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUnfinished(JobCounts.Line line) {
        return line.state() != JobState.PAUSED;
    }
}
