package dev.heddle.limit;

import java.time.Duration;

import dev.heddle.job.DurationText;
import dev.heddle.job.Limits;

/**
 * How many units may be taken in a time: a generic cell rate algorithm (GCRA). Its whole state is one time, before
 * which all that was taken is not yet due; a unit moves it by {@link #interval}. In any window of length w, at most
 * burst + w / interval units are taken. Times are nanoseconds since 1970 by the clock of the store.
 *
 * @param count how many units
 * @param per in which time
 * @param burst how many units may be taken together after a pause
 */
public record Rate(int count, Duration per, int burst) {

    private static final Duration LONGEST = Duration.ofDays(31);

    /** Checks the values. */
    public Rate {
        Limits.between(1, 1_000_000, "the count of a rate", count);
        Limits.between(1, 1_000_000, "the burst of a rate", burst);
        if (per.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("the time of a rate must be at least 1 ms: "
                    + (per.isNegative() ? "-" : "") + DurationText.of(per.abs()));
        }
        if (per.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "the time of a rate must be at most " + LONGEST.toDays() + " days: " + DurationText.of(per));
        }
        if (per.dividedBy(count).toNanos() < 1_000) {
            throw new IllegalArgumentException("a rate must not exceed one start in a microsecond: " + count + " in "
                    + DurationText.of(per));
        }
        if (per.dividedBy(count).multipliedBy(burst).compareTo(Limits.DURATION) > 0) {
            throw new IllegalArgumentException("a burst of " + burst + " would take over 100 years to become free");
        }
    }

    /** Returns the time in which one unit becomes free, in nanoseconds, rounded up. */
    public long interval() {
        return (per.toNanos() + count - 1) / count;
    }

    /** Returns how many units may be taken now. */
    public long units(long state, long now) {
        return Math.max(0, Math.floorDiv(now + burst * interval() - Math.max(state, now), interval()));
    }

    /** Returns the state after units were taken. */
    public long take(long state, long now, long units) {
        return Math.max(state, now) + units * interval();
    }

    /**
     * Returns the state after a refund of units. What has become free again since they were taken is not refunded: others
     * may have taken it meanwhile, because the units became free for them, too.
     *
     * @param age how long ago the units were taken, in nanoseconds
     */
    public long refund(long state, long units, long age) {
        return state - Math.max(0, units * interval() - Math.max(0, age));
    }

    /** Returns from when so many units may be taken; more than the burst count as the burst. */
    public long freeAt(long state, int units) {
        return state - (burst - needed(units)) * interval();
    }

    /** Returns how many units have to be free for a start of a weight: a weight above the burst waits for all. */
    public long needed(int weight) {
        return Math.min(weight, burst);
    }

    /** Returns the rate as text: {@code 100/1m}. */
    @Override
    public String toString() {
        return count + "/" + DurationText.of(per);
    }
}
