package dev.heddle.control.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.job.Progress;
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
 * @param dedupe what its submit did if that key was in use; null for the default, while active
 * @param headers what the submitter passed along beside the payload
 */
public record JobView(String id, String type, String queue, JobState state, @Nullable Phase phase, int priority,
        Instant createdAt, int attempt, int failures, int crashes, @Nullable Instant dueAt, @Nullable String node,
        @Nullable Instant startedAt, @Nullable Instant endedAt, @Nullable Progress progress, @Nullable String reason,
        @Nullable String error, @Nullable Integer maxRetries, @Nullable Duration timeout, @Nullable String parent,
        @Nullable String session, @Nullable String subject, List<String> tags, @Nullable String dedupeKey,
        @Nullable String dedupe, Map<String, String> headers) {}
