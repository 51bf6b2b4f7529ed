package dev.heddle.cli.types;

import java.time.Duration;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobHandler;
import org.jspecify.annotations.Nullable;

/** Sleeps as long as it is told, and says how far it is. */
final class Sleep implements JobHandler<Sleep.Nap, Sleep.Rest> {

    private static final Duration BETWEEN_PROGRESS = Duration.ofMillis(100);

    /**
     * For how long, and how soundly.
     *
     * @param stubborn whether it sleeps on whatever it is told, to see what becomes of such a handler
     */
    record Nap(@Nullable Double seconds, @Nullable Boolean stubborn) {}

    /** For how long it was. */
    record Rest(double seconds) {}

    @Override
    public Rest handle(Nap nap, JobContext job) {
        Double seconds = nap.seconds;
        if (seconds == null || !(seconds >= 0 && seconds <= 1e6)) {
            throw JobException.permanent("sleep needs {\"seconds\": n} with n from 0 to 1000000, and got "
                    + (seconds == null ? "none" : seconds));
        }
        Duration whole = Duration.ofMillis(Math.round(seconds * 1_000));
        job.log().info("sleeping for {} s", seconds);
        for (Duration slept = Duration.ZERO; slept.compareTo(whole) < 0; slept = slept
                .plus(BETWEEN_PROGRESS)) {
            job.progress(slept.toMillis(), whole.toMillis(), "sleeping");
            Duration left = whole.minus(slept);
            Duration once = left.compareTo(BETWEEN_PROGRESS) < 0 ? left : BETWEEN_PROGRESS;
            if (Boolean.TRUE.equals(nap.stubborn)) {
                sleepOn(once);
            } else {
                job.sleep(once);
            }
        }
        return new Rest(seconds);
    }

    private static void sleepOn(Duration once) {
        try {
            Thread.sleep(once);
        } catch (InterruptedException e) {
            // As it was asked to; the interrupt is over with it.
        }
    }
}
