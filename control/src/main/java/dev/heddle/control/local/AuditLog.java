package dev.heddle.control.local;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

import dev.heddle.access.Actor;
import dev.heddle.access.AuditEntry;
import dev.heddle.access.AuditEntry.Outcome;
import dev.heddle.access.AuditStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the audit log of a store. Entries that are written at the same time share a transaction.
 *
 * <p>An operation that was done is on disk in the log when {@link #record} returns. Submissions and what was refused or
 * failed can be many, and do not wait: they are written by the next {@link #flush}, those that are alike as one entry
 * with a count. If the store cannot be written, entries are kept for the next try.
 */
public final class AuditLog {

    /** How long entries are kept by default. */
    public static final Duration RETENTION = Duration.ofDays(90);

    /** How many entries are kept at most. */
    public static final long MAX_ENTRIES = 1_000_000;

    /** How many entries wait for a store that cannot be written, at most. */
    private static final int MAX_PENDING = 10_000;
    private static final Duration PRUNE_INTERVAL = Duration.ofHours(1);
    private static final int PRUNED_AT_ONCE = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

    private final Optional<AuditStore> store;
    private final InstantSource clock;
    private final Duration retention;
    private final boolean grouped;
    private final ReentrantLock writing = new ReentrantLock();
    private List<AuditEntry> pending = new ArrayList<>();
    private Map<Kind, AuditEntry> counted = new LinkedHashMap<>();
    private long dropped;
    private Instant pruneAt = Instant.MIN;

    /** What entries have in common that become one with a count. */
    private record Kind(Actor actor, String operation, Outcome outcome) {}

    private AuditLog(Optional<AuditStore> store, InstantSource clock, Duration retention, boolean grouped) {
        this.store = store;
        this.clock = clock;
        this.retention = retention;
        this.grouped = grouped;
    }

    /**
     * Returns a log for many callers, which groups entries as described above. Its owner {@linkplain #flush flushes} it
     * every second or so, and when it closes.
     *
     * @param store where to write; empty if the store keeps no log, so that nothing is recorded
     * @param retention how long entries are kept
     */
    public static AuditLog grouped(Optional<AuditStore> store, InstantSource clock, Duration retention) {
        return new AuditLog(store, clock, retention, true);
    }

    /**
     * Returns a log that writes every entry at once.
     *
     * @param store where to write; empty if the store keeps no log, so that nothing is recorded
     * @param retention how long entries are kept
     */
    public static AuditLog immediate(Optional<AuditStore> store, InstantSource clock, Duration retention) {
        return new AuditLog(store, clock, retention, false);
    }

    /**
     * Records an operation.
     *
     * @param target the id or the name of what it was done to; null if there is none
     * @param count how many things were changed, or how often it was tried
     * @param detail why it failed or was refused; null if it was done
     */
    public void record(Actor actor, String operation, @Nullable String target, long count, Outcome outcome,
            @Nullable String detail) {
        if (store.isEmpty()) {
            return;
        }
        AuditEntry entry = new AuditEntry(0, clock.instant(), actor, operation, target, count, outcome, detail);
        if (grouped && (outcome != Outcome.DONE || operation.equals("submit"))) {
            count(entry);
        } else {
            add(entry);
            flush();
        }
    }

    private synchronized void count(AuditEntry entry) {
        if (counted.size() < MAX_PENDING) {
            counted.merge(new Kind(entry.actor(), entry.operation(), entry.outcome()), entry,
                    (one, other) -> new AuditEntry(0, one.at(), one.actor(), one.operation(), one.target(),
                            one.count() + other.count(), one.outcome(), one.detail()));
        } else {
            dropped++;
        }
    }

    private synchronized void add(AuditEntry entry) {
        if (pending.size() < MAX_PENDING) {
            pending.add(entry);
        } else {
            dropped++;
        }
    }

    private synchronized List<AuditEntry> take() {
        List<AuditEntry> taken = pending;
        taken.addAll(counted.values());
        pending = new ArrayList<>();
        counted = new LinkedHashMap<>();
        return taken;
    }

    private synchronized void putBack(List<AuditEntry> entries) {
        entries.addAll(pending);
        pending = entries;
    }

    /** Writes what has not been written yet. Entries of other threads that are being written are written on return. */
    public void flush() {
        if (store.isEmpty()) {
            return;
        }
        writing.lock();
        try {
            List<AuditEntry> entries = take();
            if (!entries.isEmpty()) {
                write(store.get(), entries);
            }
        } finally {
            writing.unlock();
        }
    }

    private void write(AuditStore log, List<AuditEntry> entries) {
        try {
            log.append(entries);
            warnOfDropped();
            prune(log);
        } catch (RuntimeException e) {
            putBack(entries);
            LOG.warn("Cannot write {} entries of the audit log; trying again: {}", entries.size(), e.getMessage());
        }
    }

    private synchronized void warnOfDropped() {
        if (dropped > 0) {
            LOG.warn("{} entries of the audit log are lost, because the store could not be written", dropped);
            dropped = 0;
        }
    }

    /** Deletes a few entries that are too old or too many, once an hour until there are no more. */
    private void prune(AuditStore log) {
        Instant now = clock.instant();
        if (now.isBefore(pruneAt)) {
            return;
        }
        try {
            if (log.deleteEntries(now.minus(retention), MAX_ENTRIES, PRUNED_AT_ONCE) < PRUNED_AT_ONCE) {
                pruneAt = now.plus(PRUNE_INTERVAL);
            }
        } catch (RuntimeException e) {
            LOG.debug("Cannot delete old entries of the audit log; trying again: {}", e.getMessage());
        }
    }
}
