package dev.heddle.external;

import java.time.Duration;

/**
 * Decides what to do about a worker that was lost. Pure: the caller counts the losses.
 *
 * @param firstDelay the delay before the first restart
 * @param maxDelay the limit up to which the delay doubles
 * @param maxRestarts from how many restarts without a success on a slot counts as failed
 * @param storm how many losses among all workers of a type are too many
 */
record RestartPolicy(Duration firstDelay, Duration maxDelay, int maxRestarts, Storm storm) {

    static final RestartPolicy STANDARD = new RestartPolicy(Duration.ofSeconds(1), Duration.ofSeconds(60), 10,
            new Storm(20, Duration.ofSeconds(60)));

    /**
     * The number of crashes from which restarting is futile.
     *
     * @param crashes how many
     * @param within in which time, without a success among them
     */
    record Storm(int crashes, Duration within) {}

    /** What to do about a crash. */
    sealed interface Decision {

        /** Returns how long to wait before the next start. */
        Duration delay();

        /** Start again. */
        record Restart(Duration delay) implements Decision {}

        /** The slot has failed: its restart limit is reached. Try again at the longest delay, until one succeeds. */
        record LimitReached(Duration delay) implements Decision {}

        /** Too many workers of the type crash. Start nothing at all until the delay has passed. */
        record Hold(Duration delay) implements Decision {}
    }

    /**
     * Decides about a crash.
     *
     * @param crashes the crashes in this slot since its last success, including this one
     * @param isStorm whether the {@link CrashWindow} of the type is full, including this crash
     */
    Decision decide(int crashes, boolean isStorm) {
        if (isStorm) {
            return new Decision.Hold(storm.within());
        }
        return isLimitReached(crashes) ? new Decision.LimitReached(maxDelay) : new Decision.Restart(delay(crashes));
    }

    /**
     * Returns whether a slot counts as failed.
     *
     * @param crashes the crashes in this slot since its last success
     */
    boolean isLimitReached(int crashes) {
        return crashes > maxRestarts;
    }

    private Duration delay(int crashes) {
        Duration delay = firstDelay;
        for (int crash = 1; crash < crashes && delay.compareTo(maxDelay) < 0; crash++) {
            delay = delay.multipliedBy(2);
        }
        return delay.compareTo(maxDelay) < 0 ? delay : maxDelay;
    }
}
