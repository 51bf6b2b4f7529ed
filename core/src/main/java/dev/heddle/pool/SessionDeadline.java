package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;

import dev.heddle.job.JobSpec;
import dev.heddle.job.JobType;
import dev.heddle.job.SpanText;
import dev.heddle.store.NewJob;

/** A job with a session has one deadline for waiting and running: its client waits for the answer. */
final class SessionDeadline {

    /** How long it has from its submission, where neither it nor its type says otherwise. */
    static final Duration REQUEST = Duration.ofSeconds(60);

    private SessionDeadline() {}

    /** Whether such a deadline applies. */
    static boolean appliesTo(JobSpec spec, JobType<?, ?> type) {
        return spec.session().isPresent() && type.affinity().isPresent();
    }

    static Instant of(JobSpec spec, JobType<?, ?> type) {
        return spec.createdAt().plus(spec.timeout().or(type::timeout).orElse(REQUEST));
    }

    /** Refuses what could never be done in time. */
    static void check(NewJob job, JobType<?, ?> type) {
        Instant due = job.dueAt();
        if (due != null && appliesTo(job.spec(), type) && !due.isBefore(of(job.spec(), type))) {
            throw new IllegalArgumentException("a job with a session must be done within "
                    + SpanText.of(Duration.between(job.spec().createdAt(), of(job.spec(), type)))
                    + " of its submission, and this one is due only after that; give it a longer timeout");
        }
    }
}
