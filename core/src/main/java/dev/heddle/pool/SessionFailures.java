package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;

import dev.heddle.job.Job;
import dev.heddle.job.JobException;
import dev.heddle.job.SpanText;

/** Why a job did not get to the worker that has its session, as failures that are not tried again. */
final class SessionFailures {

    private SessionFailures() {}

    static JobException lost(Job job) {
        return failure("SessionLost", job,
                "the worker that had it is gone; submit again to begin a new session");
    }

    static JobException busy(Job job, String worker) {
        return failure("SessionBusy", job,
                "worker " + worker + " has something else to do, and strict_fail does not wait");
    }

    static JobException overdue(Job job, Instant deadline) {
        Duration limit = Duration.between(job.spec().createdAt(), deadline);
        return failure("SessionTimeout", job,
                "not done within " + SpanText.of(limit) + " of its submission");
    }

    private static JobException failure(String kind, Job job, String what) {
        return JobException.permanent(
                kind + ": session '" + job.spec().session().orElse("") + "', job type '" + job.type()
                        + "': " + what);
    }
}
