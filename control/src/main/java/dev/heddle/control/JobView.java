package dev.heddle.control;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.job.Progress;
import dev.heddle.pool.HoldReasons;
import org.jspecify.annotations.Nullable;

/**
 * A job in short, as lists show it; {@link JobDetail} has the rest. Components that do not apply to the state are null.
 *
 * @param id the id
 * @param type the name of the job type
 * @param queue the queue
 * @param state the state; PAUSED also for a queued job that cannot start at the moment
 * @param phase the phase of a two-phase job after it has spawned its children; null before that and for other jobs
 * @param priority larger values run first
 * @param createdAt when it was submitted
 * @param attempt the number of the last attempt; 0 before the first
 * @param failures the number of failed attempts that count against the retries
 * @param crashes the number of attempts that brought their node down, by all that is known
 * @param dueAt when it may run, while SCHEDULED
 * @param node the node that has it, while ASSIGNED or RUNNING
 * @param startedAt when the current attempt started
 * @param endedAt when it ended
 * @param progress the progress that its handler last reported
 * @param reason why it is PAUSED, FAILED or CANCELLED
 * @param error the failure of the last failed attempt, in one line
 * @param maxRetries the number of attempts after the first; null for the default of the type
 * @param timeout the longest time for one attempt; null for the default of the type
 * @param parent the id of its parent
 * @param session the client session it belongs to
 * @param subject what it is about
 * @param tags its labels, sorted
 * @param dedupeKey the key that prevents a second job like it
 * @param headers what the submitter passed along beside the payload
 */
public record JobView(String id, String type, String queue, JobState state, @Nullable Phase phase, int priority,
        Instant createdAt, int attempt, int failures, int crashes, @Nullable Instant dueAt, @Nullable String node,
        @Nullable Instant startedAt, @Nullable Instant endedAt, @Nullable Progress progress, @Nullable String reason,
        @Nullable String error, @Nullable Integer maxRetries, @Nullable Duration timeout, @Nullable String parent,
        @Nullable String session, @Nullable String subject, List<String> tags, @Nullable String dedupeKey,
        Map<String, String> headers) {

    static JobView of(Job job) {
        return of(job, HoldReasons.NONE);
    }

    /**
     * Returns the view of a job.
     *
     * @param held the reasons why jobs cannot start at the moment: a queued job with such a reason is shown as PAUSED,
     *     although the store has it as QUEUED
     */
    static JobView of(Job job, HoldReasons held) {
        var spec = job.spec();
        var status = job.status();
        String hold = job.state() == JobState.QUEUED ? held.reason(job.type(), spec.tags()).orElse(null) : null;
        return new JobView(job.id().toString(), job.type(), job.queue(), hold == null ? job.state() : JobState.PAUSED,
                job.phase() == Phase.INGEST ? null : job.phase(), spec.priority(), spec.createdAt(),
                job.counts().attempt(), job.counts().failures(), job.counts().crashes(), status.dueAt(), status.node(),
                status.startedAt(), status.endedAt(), status.progress(), hold == null ? status.reason() : hold,
                job.failure().map(Failure::message).orElse(null), spec.extras().maxRetries(), spec.extras().timeout(),
                spec.parent().map(JobId::toString).orElse(null), spec.extras().session(), spec.extras().subject(),
                spec.tags().stream().sorted().toList(), spec.extras().dedupeKey(), new TreeMap<>(spec.headers()));
    }
}
