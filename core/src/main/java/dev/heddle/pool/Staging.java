package dev.heddle.pool;

import java.time.Duration;

/**
 * How the jobs that a dead node ran start again: the first at once, the next few at a steady pace (warm), all others
 * spread evenly over a long time (slow). What brought a node down, be it a machine short of memory or a service that
 * does not answer, is met again by one job and not by all of them.
 *
 * @param atOnce how many start at once; default 1
 * @param warm how many follow, one at a time; default 9
 * @param warmEvery the time between two of those; default 1 s
 * @param slowUntil when the last of the others has its turn; default 15 min
 */
public record Staging(int atOnce, int warm, Duration warmEvery, Duration slowUntil) {

    /** The part of the schedule that a job falls into. */
    enum Stage {
        AT_ONCE, WARM, SLOW
    }

    public Staging {
        if (atOnce < 1) {
            throw new IllegalArgumentException("staging: at least one job must start at once: " + atOnce);
        }
        if (warm < 0) {
            throw new IllegalArgumentException("staging: warm must not be negative: " + warm);
        }
        if (warmEvery.isNegative() || slowUntil.isNegative()) {
            throw new IllegalArgumentException(
                    "staging: warmEvery and slowUntil must not be negative: " + warmEvery + ", " + slowUntil);
        }
    }

    /** One at once, nine more at one a second, the others within 15 minutes. */
    public static Staging standard() {
        return new Staging(1, 9, Duration.ofSeconds(1), Duration.ofMinutes(15));
    }

    /** Everything at once: for jobs that are so short or so few that a stampede does no harm. */
    public static Staging none() {
        return new Staging(Integer.MAX_VALUE, 0, Duration.ZERO, Duration.ZERO);
    }

    /** When the job at this place, from 0, of so many starts again, counted from the opening. */
    Duration delay(int place, int count) {
        return switch (stage(place)) {
            case AT_ONCE -> Duration.ZERO;
            case WARM -> warmEvery.multipliedBy(place - atOnce + 1L);
            case SLOW -> {
                Duration span = slowUntil.compareTo(slowFrom()) > 0 ? slowUntil.minus(slowFrom())
                        : Duration.ZERO;
                int slow = count - atOnce - warm;
                yield slowFrom().plus(span.multipliedBy(place - atOnce - warm).dividedBy(slow));
            }
        };
    }

    Stage stage(int place) {
        if (place < atOnce) {
            return Stage.AT_ONCE;
        }
        return place - atOnce < warm ? Stage.WARM : Stage.SLOW;
    }

    /** When the first of the slow ones has its turn: one pace after the last warm one. */
    private Duration slowFrom() {
        return warmEvery.multipliedBy(warm + 1L);
    }
}
