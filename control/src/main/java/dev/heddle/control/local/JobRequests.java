package dev.heddle.control.local;

import java.util.Map;
import java.util.Objects;

import dev.heddle.control.ControlException;
import dev.heddle.control.Redaction;
import dev.heddle.control.model.JobDraft;
import dev.heddle.job.Dedupe;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Turns a {@link JobDraft} into the request of a pool, and refuses invalid values. */
final class JobRequests {

    private JobRequests() {}

    /** Returns a job type for callers that do not have its Java classes. */
    static JobType<JsonNode, JsonNode> jsonType(String name) {
        return JobType.of(name, JsonNode.class, JsonNode.class);
    }

    /**
     * Returns the request of a draft.
     *
     * @throws ControlException if a value is invalid
     */
    static JobRequest<JsonNode, JsonNode> of(JobDraft draft, @Nullable JobId parent) {
        return InputChecks.checked(() -> build(draft, parent));
    }

    private static JobRequest<JsonNode, JsonNode> build(JobDraft draft, @Nullable JobId parent) {
        var request = jsonType(InputChecks.present("type", draft.type()))
                .with(draft.payload() == null ? JsonNodeFactory.instance.objectNode()
                        : Redaction.requireUnmasked(draft.payload()));
        request = draft.id() == null ? request : request.id(InputChecks.id(draft.id()));
        request = draft.queue() == null ? request : request.queue(draft.queue());
        request = draft.priority() == null ? request : request.priority(draft.priority());
        request = draft.maxRetries() == null ? request : request.maxRetries(draft.maxRetries());
        request = draft.timeout() == null ? request : request.timeout(draft.timeout());
        request = parent == null ? request : request.parent(parent);
        request = draft.session() == null ? request : request.session(draft.session());
        request = draft.subject() == null ? request : request.subject(draft.subject());
        request = withKey(request, draft);
        request = draft.tags() == null ? request
                : request
                        .tags(draft.tags().stream().map(tag -> InputChecks.present("tag", tag)).toArray(String[]::new));
        request = draft.headers() == null ? request : request.headers(draft.headers());
        for (Map.Entry<String, String> key : Objects.requireNonNullElse(draft.limitKeys(), Map.<String, String>of())
                .entrySet()) {
            request = request.limitKey(key.getKey(), InputChecks.present("limit key", key.getValue()));
        }
        return withStart(request, draft);
    }

    private static JobRequest<JsonNode, JsonNode> withKey(JobRequest<JsonNode, JsonNode> request, JobDraft draft) {
        if (draft.dedupeKey() != null) {
            return request.dedupeKey(draft.dedupeKey(),
                    draft.dedupe() == null ? Dedupe.whileActive() : Dedupe.parse(draft.dedupe()));
        }
        if (draft.dedupe() != null) {
            throw ControlException.invalid("dedupe needs a dedupeKey: '" + Limits.quoted(draft.dedupe()) + "'");
        }
        return request;
    }

    private static JobRequest<JsonNode, JsonNode> withStart(JobRequest<JsonNode, JsonNode> request, JobDraft draft) {
        if (draft.delay() != null && draft.runAt() != null) {
            throw ControlException.invalid("a job has either a delay or a runAt, not both");
        }
        if (draft.delay() != null) {
            return request.delay(draft.delay());
        }
        return draft.runAt() == null ? request : request.runAt(draft.runAt());
    }
}
