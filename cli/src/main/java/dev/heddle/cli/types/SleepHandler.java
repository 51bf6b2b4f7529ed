package dev.heddle.cli.types;

import java.time.Duration;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobHandler;
import org.jspecify.annotations.Nullable;

/** Sleeps for the given time and reports its progress. */
final class SleepHandler implements JobHandler<SleepHandler.Payload, SleepHandler.Result> {

    private static final Duration PROGRESS_INTERVAL = Duration.ofMillis(100);

    /**
     * How to sleep.
     *
     * @param stubborn whether to ignore cancellation and interrupts, to test how Heddle treats such handlers
     */
    record Payload(@Nullable Double seconds, @Nullable Boolean stubborn) {}

    /** The time slept. */
    record Result(double seconds) {}

    @Override
    public Result handle(Payload payload, JobContext job) {
        Double seconds = payload.seconds;
        if (seconds == null || !(seconds >= 0 && seconds <= 1e6)) {
            throw JobException.permanent("sleep needs {\"seconds\": N} with N from 0 to 1000000; got "
                    + (seconds == null ? "no seconds" : seconds));
        }
        Duration whole = Duration.ofMillis(Math.round(seconds * 1_000));
        job.log().info("sleeping for {} s", seconds);
        for (Duration slept = Duration.ZERO; slept.compareTo(whole) < 0; slept = slept.plus(PROGRESS_INTERVAL)) {
            job.progress(slept.toMillis(), whole.toMillis(), "sleeping");
            Duration left = whole.minus(slept);
            Duration next = left.compareTo(PROGRESS_INTERVAL) < 0 ? left : PROGRESS_INTERVAL;
            if (Boolean.TRUE.equals(payload.stubborn)) {
                sleepIgnoringInterrupts(next);
            } else {
                job.sleep(next);
            }
        }
        return new Result(seconds);
    }

    private static void sleepIgnoringInterrupts(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            // Ignored on purpose.
        }
    }
}
