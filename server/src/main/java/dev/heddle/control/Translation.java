package dev.heddle.control;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.store.JobQuery;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Turns what was asked into what the engine takes, or refuses it with one clear line. */
final class Translation {

    /** Longer than any job should wait, and short enough for every store's clock. */
    static final Duration LONGEST = Duration.ofDays(36_500);
    private static final int LONGEST_REASON = 1_000;
    private static final int LONGEST_NAME = 200;

    private Translation() {}

    /** A type as far as a caller without its Java classes knows it. */
    static JobType<JsonNode, JsonNode> type(String name) {
        return JobType.of(name("type", name), JsonNode.class, JsonNode.class);
    }

    static JobRequest<JsonNode, JsonNode> request(@Nullable JobDraft draft, @Nullable JobId parent) {
        if (draft == null) {
            throw ControlException.invalid("a job must be an object and not null");
        }
        JsonNode payload = draft.payload() == null ? JsonNodeFactory.instance.objectNode() : draft.payload();
        var request = type(draft.type()).with(payload);
        request = draft.id() == null ? request : request.id(id(draft.id()));
        request = draft.queue() == null ? request : request.queue(name("queue", draft.queue()));
        request = draft.priority() == null ? request : request.priority(draft.priority());
        request = draft.maxRetries() == null ? request
                : request.maxRetries(atLeast(0, "maxRetries", draft.maxRetries()));
        request = draft.timeout() == null ? request
                : request.timeout(between("timeout", Duration.ofMillis(1), draft.timeout()));
        request = parent == null ? request : request.parent(parent);
        request = draft.session() == null ? request : request.session(name("session", draft.session()));
        request = draft.subject() == null ? request : request.subject(name("subject", draft.subject()));
        request = draft.dedupeKey() == null ? request
                : request.dedupeKey(name("dedupeKey", draft.dedupeKey()));
        request = draft.tags() == null ? request : request.tags(tags(draft.tags()));
        return startingAt(draft, request);
    }

    private static JobRequest<JsonNode, JsonNode> startingAt(JobDraft draft,
            JobRequest<JsonNode, JsonNode> request) {
        if (draft.delay() != null && draft.runAt() != null) {
            throw ControlException.invalid("a job has a delay or a runAt, not both");
        }
        if (draft.delay() != null) {
            return request.delay(between("delay", Duration.ZERO, draft.delay()));
        }
        return draft.runAt() == null ? request : request.runAt(time(draft.runAt()));
    }

    private static String[] tags(Set<@Nullable String> tags) {
        return tags.stream().map(tag -> name("tag", tag)).toArray(String[]::new);
    }

    private static Instant time(Instant value) {
        if (value.isBefore(Instant.EPOCH) || value.isAfter(Instant.EPOCH.plus(LONGEST.multipliedBy(2)))) {
            throw ControlException.invalid("runAt must lie between 1970 and 2170: " + value);
        }
        return value;
    }

    static Duration between(String what, Duration least, Duration value) {
        if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
            throw ControlException.invalid(what + " must be from " + least + " to " + LONGEST + ": " + value);
        }
        return value;
    }

    static int between(String what, int least, int most, int value) {
        if (value < least || value > most) {
            throw ControlException.invalid(what + " must be from " + least + " to " + most + ": " + value);
        }
        return value;
    }

    private static int atLeast(int least, String what, int value) {
        if (value < least) {
            throw ControlException.invalid(what + " must be at least " + least + ": " + value);
        }
        return value;
    }

    /** A whole id, as a caller chooses one. */
    static JobId id(String text) {
        try {
            JobId id = JobId.of(text);
            if (id.toString().equalsIgnoreCase(text)) {
                return id;
            }
        } catch (IllegalArgumentException e) {
            // Said below, as for a UUID that Java would read and others would not.
        }
        throw ControlException
                .invalid("not a job id: '" + shown(text) + "'; expected a UUID such as " + JobId.next());
    }

    static JobQuery query(JobFilter filter, @Nullable JobId parent) {
        int limit = filter.limit() == null ? JobQuery.DEFAULT_LIMIT : filter.limit();
        if (limit < 1 || limit > Control.MOST_LISTED) {
            throw ControlException.invalid("limit must be from 1 to " + Control.MOST_LISTED + ": " + limit);
        }
        JobQuery query = JobQuery.all().limit(limit).before(cursor(filter.cursor()));
        query = filter.states() == null ? query : query.states(states(filter.states()));
        query = filter.type() == null ? query : query.type(name("type", filter.type()));
        query = filter.queue() == null ? query : query.queue(name("queue", filter.queue()));
        query = filter.subject() == null ? query : query.subject(name("subject", filter.subject()));
        query = filter.tag() == null ? query : query.tag(name("tag", filter.tag()));
        return parent == null ? query : query.parent(parent);
    }

    private static JobState[] states(Set<@Nullable JobState> states) {
        if (states.stream().anyMatch(state -> state == null)) {
            throw ControlException.invalid("a state must not be null");
        }
        return states.toArray(JobState[]::new);
    }

    static long cursor(@Nullable String cursor) {
        if (cursor == null) {
            return 0;
        }
        try {
            long seq = Long.parseLong(cursor);
            if (seq > 0) {
                return seq;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw ControlException.invalid("not a cursor: '" + shown(cursor) + "'; pass on the 'next' of a page");
    }

    /** One of the words that jobs are found by: every store keeps and compares it alike. */
    static String name(String what, @Nullable String value) {
        if (value == null) {
            throw ControlException.invalid(what + " is missing");
        }
        if (value.isBlank() || value.length() > LONGEST_NAME || !isPlain(value)) {
            throw ControlException.invalid(what + " must have 1 to " + LONGEST_NAME
                    + " characters and no control characters: '" + shown(value) + "'");
        }
        return value;
    }

    static String reason(@Nullable String value, String otherwise) {
        if (value == null || value.isBlank()) {
            return otherwise;
        }
        if (value.length() > LONGEST_REASON || !isPlain(value)) {
            throw ControlException.invalid("reason must have at most " + LONGEST_REASON
                    + " characters and no control characters: '" + shown(value) + "'");
        }
        return value;
    }

    private static boolean isPlain(String text) {
        return text.codePoints().noneMatch(c -> Character.isISOControl(c)
                || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
    }

    /** Somebody else's text in a message of ours: short, and on one line. */
    static String shown(String text) {
        String plain = text.codePoints().limit(80)
                .map(c -> Character.isISOControl(c)
                        || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)
                                ? '\uFFFD'
                                : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return plain.length() < text.length() && text.codePointCount(0, text.length()) > 80 ? plain + "…"
                : plain;
    }
}
