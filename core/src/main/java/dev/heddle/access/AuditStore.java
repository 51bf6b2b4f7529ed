package dev.heddle.access;

import java.time.Instant;
import java.util.List;

/**
 * An optional capability of a store: keeps who did what to what, when, from where, and how it ended. Entries are only
 * ever added, and deleted when they are old. Safe for use by many threads.
 */
public interface AuditStore {

    /** Adds entries in one transaction, and numbers them. */
    void append(List<AuditEntry> entries);

    /** Returns the entries that match, newest first. */
    List<AuditEntry> entries(AuditQuery query);

    /**
     * Deletes the oldest entries: those before a time, and those beyond a number.
     *
     * @param before the time
     * @param kept how many of the newest stay at most, give or take those that another process adds meanwhile
     * @param limit how many to delete at most
     * @return how many were deleted
     */
    int deleteEntries(Instant before, long kept, int limit);
}
