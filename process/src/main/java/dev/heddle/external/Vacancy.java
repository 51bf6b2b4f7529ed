package dev.heddle.external;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * That workers were lost in a place, and none has been ready there since.
 *
 * @param about the id of who was lost last; once another one has started, of that one
 * @param worker who was lost last
 * @param losses how many in a row
 * @param startAt when the next one starts; null where it has
 */
record Vacancy(String about, ExternalWorker worker, int losses, String why, @Nullable Instant startAt) {

    Vacancy taken(String next) {
        return new Vacancy(next, worker, losses, why, null);
    }

    /**
     * In words.
     *
     * @param heldUntil nothing starts before, in no place
     */
    String note(Instant now, @Nullable Instant heldUntil) {
        Instant next = startAt != null && heldUntil != null && heldUntil.isAfter(startAt) ? heldUntil
                : startAt;
        String times = losses == 1 ? "lost once: " : "lost " + losses + " times in a row: ";
        String words = worker.lastWords();
        String history = times + why + (worker.wasReady() || words.isEmpty() ? "" : ": " + words);
        return next == null ? history : "next start " + in(Duration.between(now, next)) + "; " + history;
    }

    private static String in(Duration wait) {
        return wait.isPositive() ? "in " + wait.plusMillis(999).toSeconds() + " s" : "now";
    }
}
