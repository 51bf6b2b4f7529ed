package dev.heddle.control.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A job to submit. Components that are null have the defaults of {@link dev.heddle.job.JobRequest}.
 *
 * @param type the name of the job type; jobs of a type without a handler stay queued until a node has one
 * @param payload any JSON; null for an empty object
 * @param id a UUID that the caller chose; submitting the same id twice creates one job
 * @param queue null for {@code default}
 * @param priority larger values run first; null for 0
 * @param delay the least time until it starts; not together with {@code runAt}
 * @param runAt the earliest time at which it starts; not together with {@code delay}
 * @param maxRetries the number of attempts after the first, instead of the default of the type
 * @param timeout the longest time for one attempt, instead of the default of the type
 * @param parent the id of its parent, or an unambiguous prefix of it
 * @param session the client session that keeps its jobs on one worker
 * @param subject what the job is about
 * @param tags labels to find it by
 * @param dedupeKey if a job of this type with this key has not ended, that job is returned and none is created
 * @param dedupe what the submit does if the dedupe key is in use: {@code while active} (the default),
 *         {@code within 1h}, {@code replace}, {@code debounce 10s max 1m} or {@code supersede}; only with
 *         {@code dedupeKey}
 * @param headers what the handler gets beside the payload, such as a trace id
 * @param limitKeys keys of limits, by the name of the limit, instead of those in the payload
 */
public record JobDraft(String type, @Nullable JsonNode payload, @Nullable String id, @Nullable String queue,
        @Nullable Integer priority, @Nullable Duration delay, @Nullable Instant runAt, @Nullable Integer maxRetries,
        @Nullable Duration timeout, @Nullable String parent, @Nullable String session, @Nullable String subject,
        @Nullable Set<String> tags, @Nullable String dedupeKey, @Nullable String dedupe,
        @Nullable Map<String, String> headers, @Nullable Map<String, String> limitKeys) {

    /** Returns a draft without options. */
    public static JobDraft of(String type, @Nullable JsonNode payload) {
        return new Editor(type, payload).draft();
    }

    /** Returns the same draft with this id; null for the default. */
    public JobDraft id(@Nullable String value) {
        return with(editor -> editor.id = value);
    }

    /** Returns the same draft with this queue; null for the default. */
    public JobDraft queue(@Nullable String value) {
        return with(editor -> editor.queue = value);
    }

    /** Returns the same draft with this priority; null for the default. */
    public JobDraft priority(@Nullable Integer value) {
        return with(editor -> editor.priority = value);
    }

    /** Returns the same draft with this delay; null for the default. */
    public JobDraft delay(@Nullable Duration value) {
        return with(editor -> editor.delay = value);
    }

    /** Returns the same draft with this start time; null for the default. */
    public JobDraft runAt(@Nullable Instant value) {
        return with(editor -> editor.runAt = value);
    }

    /** Returns the same draft with this number of retries; null for the default. */
    public JobDraft maxRetries(@Nullable Integer value) {
        return with(editor -> editor.maxRetries = value);
    }

    /** Returns the same draft with this timeout; null for the default. */
    public JobDraft timeout(@Nullable Duration value) {
        return with(editor -> editor.timeout = value);
    }

    /** Returns the same draft with this parent; null for the default. */
    public JobDraft parent(@Nullable String value) {
        return with(editor -> editor.parent = value);
    }

    /** Returns the same draft with this session; null for the default. */
    public JobDraft session(@Nullable String value) {
        return with(editor -> editor.session = value);
    }

    /** Returns the same draft with this subject; null for the default. */
    public JobDraft subject(@Nullable String value) {
        return with(editor -> editor.subject = value);
    }

    /** Returns the same draft with these tags; null for the default. */
    public JobDraft tags(@Nullable Set<String> value) {
        return with(editor -> editor.tags = value);
    }

    /** Returns the same draft with this dedupe key; null for the default. */
    public JobDraft dedupeKey(@Nullable String value) {
        return with(editor -> editor.dedupeKey = value);
    }

    /** Returns the same draft with this dedupe mode; null for the default. */
    public JobDraft dedupe(@Nullable String value) {
        return with(editor -> editor.dedupe = value);
    }

    /** Returns the same draft with these headers; null for the default. */
    public JobDraft headers(@Nullable Map<String, String> value) {
        return with(editor -> editor.headers = value);
    }

    /** Returns the same draft with these keys of limits; null for the default. */
    public JobDraft limitKeys(@Nullable Map<String, String> value) {
        return with(editor -> editor.limitKeys = value);
    }

    private JobDraft with(Consumer<Editor> edit) {
        Editor editor = new Editor(type, payload);
        editor.id = id;
        editor.queue = queue;
        editor.priority = priority;
        editor.delay = delay;
        editor.runAt = runAt;
        editor.maxRetries = maxRetries;
        editor.timeout = timeout;
        editor.parent = parent;
        editor.session = session;
        editor.subject = subject;
        editor.tags = tags;
        editor.dedupeKey = dedupeKey;
        editor.dedupe = dedupe;
        editor.headers = headers;
        editor.limitKeys = limitKeys;
        edit.accept(editor);
        return editor.draft();
    }

    /** Holds the options of a draft while one of them changes. */
    private static final class Editor {
        private final String type;
        private final @Nullable JsonNode payload;
        private @Nullable String id;
        private @Nullable String queue;
        private @Nullable Integer priority;
        private @Nullable Duration delay;
        private @Nullable Instant runAt;
        private @Nullable Integer maxRetries;
        private @Nullable Duration timeout;
        private @Nullable String parent;
        private @Nullable String session;
        private @Nullable String subject;
        private @Nullable Set<String> tags;
        private @Nullable String dedupeKey;
        private @Nullable String dedupe;
        private @Nullable Map<String, String> headers;
        private @Nullable Map<String, String> limitKeys;

        Editor(String type, @Nullable JsonNode payload) {
            this.type = type;
            this.payload = payload;
        }

        JobDraft draft() {
            return new JobDraft(type, payload, id, queue, priority, delay, runAt, maxRetries, timeout, parent, session,
                    subject, tags, dedupeKey, dedupe, headers, limitKeys);
        }
    }
}
