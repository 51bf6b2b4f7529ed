package dev.heddle.pool;

import java.time.Duration;
import java.util.Locale;

/**
 * How a pool closed.
 *
 * @param finished attempts that ran when it began, and came to their own end
 * @param requeued attempts that gave way: their jobs are back in the queue with their checkpoints, uncounted
 * @param handedBack jobs that were assigned and had not started, back in the queue
 * @param abandoned attempts whose handler ignored everything, so that its job went back without it, and attempts whose
 *        end could not be written, so that the next opening finds their jobs
 * @param took from the first word to the closed store
 */
public record ClosingReport(int finished, int requeued, int handedBack, int abandoned, Duration took) {

    /** In one line, for people. */
    public String summary() {
        return finished + " finished, " + requeued + " requeued, " + handedBack + " handed back, " + abandoned
                + " abandoned, in " + String.format(Locale.ROOT, "%.1f s", took.toMillis() / 1_000.0);
    }
}
