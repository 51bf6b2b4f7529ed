package dev.heddle.access;

import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Which entries of the audit log to return, newest first.
 *
 * @param kind only those of actors of this kind; null for all
 * @param name only those of actors with this name; null for all
 * @param operation only those of this operation; null for all
 * @param target only those with this target; null for all
 * @param outcome only those that ended so; null for all
 * @param from only those at this time or later; null for all
 * @param until only those before this time; null for all
 * @param before only those that come after this one in the list, the last of the previous page; null for all
 * @param limit how many to return at most
 */
public record AuditQuery(Actor.@Nullable Kind kind, @Nullable String name, @Nullable String operation,
        @Nullable String target, AuditEntry.@Nullable Outcome outcome, @Nullable Instant from, @Nullable Instant until,
        @Nullable Position before, int limit) {

    /**
     * The place of an entry in the list.
     *
     * @param at the time of the entry
     * @param seq its number
     */
    public record Position(Instant at, long seq) {}

    /** Returns a query for the newest entries. */
    public static AuditQuery newest(int limit) {
        return new AuditQuery(null, null, null, null, null, null, null, null, limit);
    }

    /** Returns the same query for one actor: {@code ci} matches any kind, {@code token:ci} only a token. */
    public AuditQuery by(String actor) {
        Optional<Actor.Kind> prefix = Actor.kindOf(actor);
        return new AuditQuery(prefix.orElse(null),
                prefix.map(known -> actor.substring(Actor.prefix(known).length())).orElse(actor), operation, target,
                outcome, from, until, before, limit);
    }

    /** Returns whether an entry matches. */
    public boolean matches(AuditEntry entry) {
        return (kind == null || kind == entry.actor().kind()) && (name == null || name.equals(entry.actor().name()))
                && (operation == null || operation.equals(entry.operation()))
                && (target == null || target.equals(entry.target())) && (outcome == null || outcome == entry.outcome())
                && (from == null || !entry.at().isBefore(from)) && (until == null || entry.at().isBefore(until))
                && (before == null || entry.at().isBefore(before.at)
                        || (entry.at().equals(before.at) && entry.seq() < before.seq));
    }
}
