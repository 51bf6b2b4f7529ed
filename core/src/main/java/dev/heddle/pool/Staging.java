package dev.heddle.pool;

import java.time.Duration;

import dev.heddle.job.Limits;

/**
 * When the jobs that a dead node ran start again: the first at once, the next few at a steady pace (warm), and all
 * others spread evenly over a longer time (slow). If the cause of the crash persists, such as a lack of memory, only
 * one job meets it at first.
 *
 * @param atOnce how many start at once, at least 1; default 1
 * @param warm how many follow at a steady pace; default 9
 * @param warmEvery the time between two of those; default 1 s
 * @param slowUntil when the last of all others may start, counted from the recovery; default 15 min
 */
public record Staging(int atOnce, int warm, Duration warmEvery, Duration slowUntil) {

    /** The part of the schedule that a job falls into. */
    public enum Stage {
        /** The job starts at once. */
        AT_ONCE,
        /** The job follows at a steady pace. */
        WARM,
        /** The job is spread over a longer time. */
        SLOW
    }

    /** Checks the values. */
    public Staging {
        Limits.atLeast(1, "staging: atOnce", atOnce);
        Limits.atLeast(0, "staging: warm", warm);
        Limits.notNegative("staging: warmEvery", warmEvery);
        Limits.notNegative("staging: slowUntil", slowUntil);
    }

    /** Returns the default: one job at once, nine more at one a second, all others within 15 minutes. */
    public static Staging standard() {
        return new Staging(1, 9, Duration.ofSeconds(1), Duration.ofMinutes(15));
    }

    /**
     * Returns a schedule that starts everything at once, for jobs that are so short or few that a stampede does no
     * harm.
     */
    public static Staging none() {
        return new Staging(Integer.MAX_VALUE, 0, Duration.ZERO, Duration.ZERO);
    }

    /**
     * Returns when a job may start again, counted from the recovery.
     *
     * @param position the position of the job, from 0
     * @param count how many jobs there are
     */
    public Duration delay(int position, int count) {
        return switch (stage(position)) {
            case AT_ONCE -> Duration.ZERO;
            case WARM -> warmEvery.multipliedBy(position - atOnce + 1L);
            case SLOW -> {
                Duration span = slowUntil.compareTo(slowFrom()) > 0 ? slowUntil.minus(slowFrom()) : Duration.ZERO;
                int slow = count - atOnce - warm;
                yield slowFrom().plus(span.multipliedBy(position - atOnce - warm).dividedBy(slow));
            }
        };
    }

    /** Returns the part of the schedule that the job at a position, from 0, falls into. */
    public Stage stage(int position) {
        if (position < atOnce) {
            return Stage.AT_ONCE;
        }
        return position - atOnce < warm ? Stage.WARM : Stage.SLOW;
    }

    /** The first slow job starts one pace after the last warm one. */
    private Duration slowFrom() {
        return warmEvery.multipliedBy(warm + 1L);
    }
}
