package dev.heddle.engine.session;

import java.time.Duration;

import dev.heddle.job.DurationText;
import dev.heddle.job.Job;
import dev.heddle.job.JobException;

/** The failures of jobs that did not reach the worker that has their session. They are not retried. */
public final class SessionFailures {

    private SessionFailures() {}

    /**
     * Returns the failure of a job whose session has ended.
     *
     * @param dropped whether the session was dropped, rather than lost with its worker
     */
    static JobException lost(Job job, boolean dropped) {
        return failure("SessionLost", job,
                (dropped ? "it was dropped" : "its worker is gone") + "; submit again to start a new session");
    }

    static JobException busy(Job job, String worker) {
        return failure("SessionBusy", job, "worker " + worker + " is busy, and strict_fail does not wait");
    }

    /** Returns the failure of a job that did not end before its deadline. */
    public static JobException overdue(Job job, Duration limit) {
        return failure("SessionTimeout", job, "not done within " + DurationText.of(limit) + " of its submission");
    }

    private static JobException failure(String kind, Job job, String what) {
        return JobException.permanent(
                kind + ": session '" + job.spec().session().orElse("") + "', job type '" + job.type() + "': " + what)
                .withoutStackTrace();
    }
}
