package dev.heddle.sql;

import java.time.Duration;

import dev.heddle.store.Suspicion;
import org.jspecify.annotations.Nullable;

/** The column {@code suspicion} of {@code live}. Whether a job is a suspect is not in it, but in the job's lane. */
public final class Suspicions {

    private record Stored(@Nullable Integer cap, int deaths, long ranMs, int clearedAttempt) {}

    private Suspicions() {}

    /** Returns the value of the column; null if no dead node ever held the job. */
    public static Json.@Nullable Text write(Suspicion suspicion) {
        return suspicion.unsuspected().equals(Suspicion.NONE) && !suspicion.isCapped() ? null
                : Json.text(new Stored(suspicion.isCapped() ? suspicion.cap() : null, suspicion.deaths(),
                        suspicion.ranFor().toMillis(), suspicion.clearedAttempt()));
    }

    /** Reads the column. One that makes no sense says nothing. */
    public static Suspicion read(@Nullable String json, boolean suspect) {
        Stored stored = Json.readOr(json, Stored.class, null);
        if (stored == null) {
            return suspect ? Suspicion.NONE.suspected() : Suspicion.NONE;
        }
        return new Suspicion(suspect, stored.cap() == null ? Suspicion.UNCAPPED : stored.cap(), stored.deaths(),
                Duration.ofMillis(stored.ranMs()), stored.clearedAttempt());
    }
}
