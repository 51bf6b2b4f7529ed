package dev.heddle.stats;

import java.time.Duration;
import java.time.Instant;

/**
 * What happened to jobs of one type and queue in a slice of time.
 *
 * @param type the type
 * @param queue the queue
 * @param start when the slice began
 * @param length how long it is
 * @param completed how many jobs completed
 * @param failed how many attempts failed, whether or not another follows
 * @param dead how many of these were the last of their job
 * @param waits from submitting jobs to their first start, including a delay that was asked for
 * @param runs how long attempts ran
 */
public record StatsSlice(String type, String queue, Instant start, Duration length, long completed, long failed,
        long dead, LogHistogram waits, LogHistogram runs) {

    /** Returns the sum of two slices, with the type, queue and time of this one. */
    public StatsSlice plus(StatsSlice other) {
        LogHistogram bothWaits = new LogHistogram();
        bothWaits.add(waits);
        bothWaits.add(other.waits);
        LogHistogram bothRuns = new LogHistogram();
        bothRuns.add(runs);
        bothRuns.add(other.runs);
        return new StatsSlice(type, queue, start, length, completed + other.completed, failed + other.failed,
                dead + other.dead, bothWaits, bothRuns);
    }

    /** Returns the same numbers for a longer slice, which begins no later. */
    StatsSlice within(Duration longer) {
        return new StatsSlice(type, queue, StatsWindow.startOf(start, longer), longer, completed, failed, dead, waits,
                runs);
    }
}
