package dev.heddle.access;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;

/**
 * One line of the audit log.
 *
 * @param seq its number, which the store assigns; 0 before it is stored
 * @param at when it happened
 * @param actor who did it, and from where
 * @param operation what was done, such as {@code cancel}
 * @param target the id or the name of what it was done to; null if there is none
 * @param count how many things were changed; if it was not done, how often it was tried
 * @param outcome how it ended
 * @param detail why it failed or was refused; null if it was done
 */
public record AuditEntry(long seq, Instant at, Actor actor, String operation, @Nullable String target, long count,
        Outcome outcome, @Nullable String detail) {

    /** The longest target, in characters. A longer one is cut. */
    public static final int TARGET = 500;

    /** How an operation ended. */
    public enum Outcome {
        /** It was done. */
        DONE,
        /** The actor may not do it. */
        REFUSED,
        /** The actor may do it, but it failed and changed nothing. */
        FAILED
    }

    /** Cuts texts that are too long to keep, and the time to milliseconds. */
    public AuditEntry {
        at = at.truncatedTo(ChronoUnit.MILLIS);
        target = target == null ? null : Limits.cut(target, TARGET);
        detail = detail == null ? null : Limits.cut(detail, Limits.REASON);
    }
}
