package dev.heddle.control;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.job.Progress;
import dev.heddle.pool.Held;
import org.jspecify.annotations.Nullable;

/**
 * A job in short, as lists show it; {@link JobDetail} has the rest. What does not belong to its state is null.
 *
 * @param phase of a two-phase job once it has spawned its children; null before, and for all other jobs
 * @param attempt the number of the last claim, 0 before the first
 * @param failures failed attempts that count against the retries
 * @param crashes times its node died with it
 * @param dueAt when it may run, while SCHEDULED
 * @param node who holds it, while ASSIGNED or RUNNING
 * @param reason why it is PAUSED, FAILED or CANCELLED
 * @param error what the last failed attempt said, in one line
 */
public record JobView(String id, String type, String queue, JobState state, @Nullable Phase phase,
        int priority, Instant createdAt,
        int attempt, int failures, int crashes, @Nullable Instant dueAt, @Nullable String node,
        @Nullable Instant startedAt, @Nullable Instant endedAt, @Nullable Progress progress,
        @Nullable String reason,
        @Nullable String error, @Nullable Integer maxRetries, @Nullable Duration timeout,
        @Nullable String parent,
        @Nullable String session, @Nullable String subject, List<String> tags, @Nullable String dedupeKey) {

    static JobView of(Job job) {
        return of(job, Held.NOTHING);
    }

    /**
     * As people see it.
     *
     * @param held what may not start now, with the reason: such jobs are PAUSED, though no write says so
     */
    static JobView of(Job job, Held held) {
        var spec = job.spec();
        var status = job.status();
        String hold = job.state() == JobState.QUEUED ? held.reason(job.type(), spec.tags()).orElse(null)
                : null;
        return new JobView(job.id().toString(), job.type(), job.queue(),
                hold == null ? job.state() : JobState.PAUSED,
                job.phase() == Phase.INGEST ? null : job.phase(), spec.priority(), spec.createdAt(),
                job.counts().attempt(), job.counts().failures(), job.counts().crashes(),
                status.dueAt(), status.node(), status.startedAt(), status.endedAt(), status.progress(),
                hold == null ? status.reason() : hold, job.failure().map(Failure::message).orElse(null),
                spec.extras().maxRetries(),
                spec.extras().timeout(), spec.parent().map(JobId::toString).orElse(null),
                spec.extras().session(),
                spec.extras().subject(), spec.tags().stream().sorted().toList(), spec.extras().dedupeKey());
    }
}
