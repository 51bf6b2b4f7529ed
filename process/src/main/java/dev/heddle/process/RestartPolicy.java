package dev.heddle.process;

import java.time.Duration;

/**
 * What to do about a long-lived process that ended and should not have. Pure: crashes are counted by whoever asks.
 *
 * @param firstDelay how long to wait before the first restart; default 1 s
 * @param longestDelay what doubling the delay ends at; default 60 s
 * @param mostRestarts how often one is restarted without a success before it counts as failed; default 10
 * @param storm what is too much of it, over all that are kept together
 */
public record RestartPolicy(Duration firstDelay, Duration longestDelay, int mostRestarts, Storm storm) {

    /**
     * When restarting is of no use.
     *
     * @param crashes how many; default 20
     * @param within in which time, without a success among them; default 60 s
     */
    public record Storm(int crashes, Duration within) {}

    public RestartPolicy {
        if (firstDelay.isNegative() || longestDelay.compareTo(firstDelay) < 0 || mostRestarts < 0
                || storm.crashes() < 1 || !storm.within().isPositive()) {
            throw new IllegalArgumentException(
                    "restarts need a delay that is not negative and not longer than the"
                            + " longest, a number of restarts from 0, and a storm of at least one crash in some time: "
                            + firstDelay + " to " + longestDelay + ", " + mostRestarts + ", " + storm);
        }
    }

    public static RestartPolicy standard() {
        return new RestartPolicy(Duration.ofSeconds(1), Duration.ofSeconds(60), 10,
                new Storm(20, Duration.ofSeconds(60)));
    }

    /** What to do about a crash. */
    public sealed interface Remedy {

        /** How long to wait with it. */
        Duration after();

        /** Start it again. */
        record Restart(Duration after) implements Remedy {}

        /** It has failed for good; start a new one in its place, with a count of its own. */
        record Replace(Duration after) implements Remedy {}

        /** Too many crash: wait until the storm is over, then start it again. */
        record Hold(Duration after) implements Remedy {}
    }

    /**
     * What to do now.
     *
     * @param crashes of this one since its last success, with the latest
     * @param isStorm whether the {@link CrashWindow} of all is full, with the latest
     */
    public Remedy remedy(int crashes, boolean isStorm) {
        if (isStorm) {
            return new Remedy.Hold(storm.within());
        }
        return crashes > mostRestarts ? new Remedy.Replace(firstDelay) : new Remedy.Restart(delay(crashes));
    }

    private Duration delay(int crashes) {
        Duration delay = firstDelay;
        for (int crash = 1; crash < crashes && delay.compareTo(longestDelay) < 0; crash++) {
            delay = delay.multipliedBy(2);
        }
        return delay.compareTo(longestDelay) < 0 ? delay : longestDelay;
    }
}
