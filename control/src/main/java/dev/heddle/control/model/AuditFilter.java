package dev.heddle.control.model;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Which entries of the audit log to list. Null means any.
 *
 * @param actor who did it: {@code ci} for any actor with this name, {@code token:ci} for the token only
 * @param operation what was done, such as {@code cancelJob}
 * @param target the id or the name of what it was done to
 * @param outcome {@code done}, {@code refused} or {@code failed}
 * @param from only entries at this time or later
 * @param until only entries before this time
 * @param cursor the {@code next} of the previous page; null for the first page
 * @param limit the most entries to return; null for 100
 */
public record AuditFilter(@Nullable String actor, @Nullable String operation, @Nullable String target,
        @Nullable String outcome, @Nullable Instant from, @Nullable Instant until, @Nullable String cursor,
        @Nullable Integer limit) {

    /** Matches every entry. */
    public static final AuditFilter ALL = new AuditFilter(null, null, null, null, null, null, null, null);

    /** Returns the same filter for one page. */
    public AuditFilter page(@Nullable String start, @Nullable Integer most) {
        return new AuditFilter(actor, operation, target, outcome, from, until, start, most);
    }
}
