package dev.heddle.control;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A job to submit. What is null is as {@link dev.heddle.job.JobRequest} has it by default.
 *
 * @param type the name of the job type; one that no node has a handler for waits until a node has
 * @param payload any JSON; an empty object where there is none
 * @param id a UUID of the caller's own; submitting it twice makes one job
 * @param queue its queue; {@code default} where there is none
 * @param priority larger first; 0 where there is none
 * @param delay starts no earlier than this after the submit; not together with {@code runAt}
 * @param runAt starts no earlier than this
 * @param maxRetries attempts after the first, instead of the type's
 * @param timeout the most one attempt may take, instead of the type's
 * @param parent the id of the job that this one belongs to
 * @param session the client's key that keeps its jobs on one worker
 * @param subject what the job is about
 * @param tags words to find it by
 * @param dedupeKey while a job of this type with this key has not ended, that job stands for this one
 */
public record JobDraft(String type, @Nullable JsonNode payload, @Nullable String id, @Nullable String queue,
        @Nullable Integer priority, @Nullable Duration delay, @Nullable Instant runAt,
        @Nullable Integer maxRetries,
        @Nullable Duration timeout, @Nullable String parent, @Nullable String session,
        @Nullable String subject,
        @Nullable Set<String> tags, @Nullable String dedupeKey) {

    /** A draft with no options. */
    public static JobDraft of(String type, @Nullable JsonNode payload) {
        return new JobDraft(type, payload, null, null, null, null, null, null, null, null, null, null, null,
                null);
    }

    public JobDraft id(String value) {
        return new JobDraft(type, payload, value, queue, priority, delay, runAt, maxRetries, timeout, parent,
                session,
                subject, tags, dedupeKey);
    }

    public JobDraft timeout(@Nullable Duration value) {
        return new JobDraft(type, payload, id, queue, priority, delay, runAt, maxRetries, value, parent,
                session,
                subject, tags, dedupeKey);
    }
}
