package dev.heddle.pool;

import java.time.Duration;
import java.util.Locale;

/**
 * How a pool closed.
 *
 * @param finished attempts that ran when it began, and came to their own end
 * @param requeued attempts that gave way: their jobs are back in the queue with their checkpoints, uncounted
 * @param handedBack jobs that were assigned and had not started, back in the queue
 * @param left attempts whose work goes on by itself until the next node on the machine takes it up
 * @param abandoned attempts whose handler ignored everything, so that its job went back without it, and attempts whose
 *        end could not be written, so that the next opening finds their jobs
 * @param took from the first word to the closed store
 */
public record ClosingReport(int finished, int requeued, int handedBack, int left, int abandoned,
        Duration took) {

    /** In one line, for people. */
    public String summary() {
        return finished + " finished, " + requeued + " requeued, " + handedBack + " handed back, "
                + (left == 0 ? "" : left + " left to go on, ") + abandoned + " abandoned, in "
                + String.format(Locale.ROOT, "%.1f s", took.toMillis() / 1_000.0);
    }
}
