package dev.heddle.stats;

import java.time.Instant;

import dev.heddle.job.JobId;

/**
 * Failures with one fingerprint that a node has counted.
 *
 * @param fingerprint what they have in common
 * @param failures how many there were
 * @param first when the first of them happened
 * @param last when the last of them happened
 * @param lastJob the job of the last one
 * @param sample the message of the last one
 */
public record ErrorCount(ErrorFingerprint fingerprint, long failures, Instant first, Instant last, JobId lastJob,
        String sample) {

    /** Returns the sum of this and a later one. */
    public ErrorCount plus(ErrorCount later) {
        return new ErrorCount(fingerprint, failures + later.failures, first, later.last, later.lastJob, later.sample);
    }
}
