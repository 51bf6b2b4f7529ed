package dev.heddle.external;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The state of a slot whose worker was lost and in which no worker has been ready since, or, if the restart limit is
 * reached, none has finished a job.
 *
 * @param workerId the worker to which the note about the outage belongs: the lost one, or the next one once that starts
 * @param lost the worker that was lost last
 * @param losses how many were lost in a row
 * @param failed whether they are more than the restart limit
 * @param reason why the last one was lost
 * @param nextStart when the next worker starts, by {@link ExternalWorkforce#now}; null if it has started
 */
record SlotOutage(String workerId, ExternalWorker lost, int losses, boolean failed, String reason,
        @Nullable Duration nextStart) {

    SlotOutage withStarted(String nextWorkerId) {
        return new SlotOutage(nextWorkerId, lost, losses, failed, reason, null);
    }

    /**
     * Describes the outage.
     *
     * @param holdUntil the time until which no worker of the type is started; null if there is no such time
     */
    String describe(Duration now, @Nullable Duration holdUntil) {
        Duration next = nextStart != null && holdUntil != null && holdUntil.compareTo(nextStart) > 0 ? holdUntil
                : nextStart;
        String times = losses == 1 ? "lost once: " : "lost " + losses + " times in a row: ";
        String lastLine = lost.lastLogLine();
        String history = (failed ? "restart limit reached; " : "") + times + reason
                + (lost.wasReady() || lastLine.isEmpty() ? "" : ": " + lastLine);
        return next == null ? history : "next start " + in(next.minus(now)) + "; " + history;
    }

    private static String in(Duration wait) {
        return wait.isPositive() ? "in " + wait.plusMillis(999).toSeconds() + " s" : "now";
    }
}
