package dev.heddle.control.model;

import java.time.Instant;
import java.util.List;

import dev.heddle.stats.ErrorGroup;
import org.jspecify.annotations.Nullable;

/**
 * Failures that have the same fingerprint.
 *
 * @param fingerprint the fingerprint
 * @param type the type of the jobs
 * @param exception the class of the exception; null if the failures have no stack trace
 * @param frame the first frame of the application in the stack trace; null if there is none
 * @param message the message without what differs from job to job
 * @param sample the message of the last failure
 * @param failures how many failures there were since the first one
 * @param firstSeen when the first failure happened
 * @param lastSeen when the last failure happened
 * @param lastJob the id of the job that failed last, which may have been deleted
 * @param note what people know about it; null if nobody has written a note
 * @param assignee who takes care of it; null if nobody does
 * @param hours how many failures there were in each hour of the last week that had some, the oldest first
 */
public record ErrorView(String fingerprint, String type, @Nullable String exception, @Nullable String frame,
        String message, String sample, long failures, Instant firstSeen, Instant lastSeen, String lastJob,
        @Nullable String note, @Nullable String assignee, List<ErrorGroup.Hour> hours) {}
