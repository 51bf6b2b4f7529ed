package dev.heddle.stats;

import java.time.Instant;
import java.util.List;

import dev.heddle.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * The failures with one fingerprint.
 *
 * @param fingerprint what they have in common
 * @param failures how many there were since the group was created
 * @param firstSeen when the first of them happened
 * @param lastSeen when the last of them happened
 * @param lastJob the job of the last one, which may have been deleted
 * @param sample the message of the last one
 * @param note what people know about it; null if nobody has written a note
 * @param assignee who takes care of it; null if nobody does
 * @param hours how many failures there were in each hour of the last week that had some, the oldest first
 */
public record ErrorGroup(ErrorFingerprint fingerprint, long failures, Instant firstSeen, Instant lastSeen,
        JobId lastJob, String sample, @Nullable String note, @Nullable String assignee, List<Hour> hours) {

    /** Copies the list. */
    public ErrorGroup {
        hours = List.copyOf(hours);
    }

    /**
     * How many failures there were in an hour.
     *
     * @param start when the hour began
     * @param failures how many
     */
    public record Hour(Instant start, long failures) {}
}
