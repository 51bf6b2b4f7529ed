package dev.heddle.control.model;

import java.time.Instant;

import dev.heddle.access.AuditEntry.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the audit log.
 *
 * @param at when it happened
 * @param actor who did it, such as {@code token:ci} or {@code cli:ann}
 * @param address the network address that the request came from; null if it came from this process
 * @param operation what was done, such as {@code cancelJob}
 * @param target the id or the name of what it was done to; null if there is none
 * @param count how many things were changed; if it was refused or failed, how often it was tried
 * @param outcome how it ended
 * @param detail why it was refused or failed; null if it was done
 */
public record AuditEntryView(Instant at, String actor, @Nullable String address, String operation,
        @Nullable String target, long count, Outcome outcome, @Nullable String detail) {}
