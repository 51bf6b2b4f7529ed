package dev.heddle.engine.session;

import java.time.Duration;

import dev.heddle.job.DurationText;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobType;
import dev.heddle.store.NewJob;

/**
 * The deadline of a job with a session. It covers waiting and running together, because a client waits for the
 * answer.
 */
public final class SessionDeadline {

    /** The time from submission to deadline, if neither the job nor its type sets one. */
    static final Duration REQUEST = Duration.ofSeconds(60);

    private SessionDeadline() {}

    /** Returns whether a job of this type has such a deadline. */
    public static boolean appliesTo(JobSpec spec, JobType<?, ?> type) {
        return spec.session().isPresent() && type.affinity().isPresent();
    }

    /** Returns the time from the submission of the job to its deadline. */
    public static Duration limit(JobSpec spec, JobType<?, ?> type) {
        return spec.timeout().or(type::timeout).orElse(REQUEST);
    }

    /** Rejects a job that is due only after its deadline. */
    public static void check(NewJob job, JobType<?, ?> type) {
        Duration limit = limit(job.spec(), type);
        if (appliesTo(job.spec(), type) && job.start().dueAt(job.spec().createdAt())
                .filter(due -> !due.isBefore(job.spec().createdAt().plus(limit))).isPresent()) {
            throw new IllegalArgumentException("a job with a session must end within " + DurationText.of(limit)
                    + " of its submission, and this one is due only later; give it a longer timeout");
        }
    }
}
