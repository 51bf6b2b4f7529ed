package dev.heddle.pool;

import java.time.Duration;
import java.util.Locale;

/**
 * How a pool closed.
 *
 * @param finished attempts that were running and finished
 * @param requeued attempts that were stopped; their jobs are back in the queue with their checkpoints, and the attempts
 *         do not count
 * @param released jobs that had not started and are back in the queue
 * @param detached attempts whose work continues without a node until the next node on this machine takes it over
 * @param abandoned attempts whose handler did not stop, and attempts whose end could not be written; the next node
 *         recovers the latter
 * @param took how long closing took
 */
public record ClosingReport(int finished, int requeued, int released, int detached, int abandoned, Duration took) {

    /** Returns the report as one line of text. */
    public String summary() {
        return finished + " finished, " + requeued + " requeued, " + released + " released, "
                + (detached == 0 ? "" : detached + " left running, ") + abandoned + " abandoned, in "
                + String.format(Locale.ROOT, "%.1f s", took.toMillis() / 1_000.0);
    }
}
