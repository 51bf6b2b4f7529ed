package dev.heddle.control.local;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlJson;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.ResubmitDraft;
import dev.heddle.control.model.SubmitResult;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobSpec;
import dev.heddle.job.LimitKey;
import dev.heddle.job.Limits;
import dev.heddle.limit.LimitRules;
import dev.heddle.limit.LimitStore;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Submits a job again, as a new one. */
record Resubmission(Backend backend, SubmissionGate gate) {

    /** The header of the new job that has the id of the old one. */
    static final String FROM = "heddle-resubmitted-from";

    private static final String OWN_HEADER = "heddle-";

    SubmitResult resubmit(Job job, ResubmitDraft draft) {
        return submit(job, draft.payload() == null ? payload(job) : draft.payload(), draft.id(), FROM);
    }

    /**
     * Submits a job like another one.
     *
     * @param id the id of the new job; null for any
     * @param from the header that has the id of the old one
     */
    SubmitResult submit(Job job, JsonNode payload, @Nullable String id, String from) {
        gate.requireSubmittable(JobDraft.of(job.type(), payload).tags(job.spec().tags()), null);
        return new Submissions(backend, gate).accept(List.of(InputChecks.checked(() -> request(job, payload, id,
                from))));
    }

    private JobRequest<JsonNode, JsonNode> request(Job job, JsonNode payload, @Nullable String id, String from) {
        JobSpec spec = job.spec();
        JobSpec.Extras extras = spec.extras();
        var request = JobRequests.jsonType(spec.type()).with(payload).queue(spec.queue()).priority(spec.priority())
                .id(id == null ? JobId.next() : InputChecks.id(id))
                .tags(spec.tags().toArray(String[]::new)).headers(headers(job, from));
        request = extras.maxRetries() == null ? request : request.maxRetries(extras.maxRetries());
        request = extras.timeout() == null ? request : request.timeout(extras.timeout());
        request = extras.session() == null ? request : request.session(extras.session());
        request = extras.subject() == null ? request : request.subject(extras.subject());
        for (LimitKey key : givenKeys(spec)) {
            request = request.limitKey(key.limit(), key.key(), key.weight());
        }
        return request;
    }

    /** Returns the headers of the new job. Those of Heddle say something about the old one only. */
    private static Map<String, String> headers(Job job, String from) {
        Map<String, String> headers = new HashMap<>(job.spec().headers());
        headers.keySet().removeIf(name -> name.startsWith(OWN_HEADER));
        if (headers.size() < Limits.HEADERS) {
            headers.put(from, job.id().toString());
        }
        return headers;
    }

    /** Returns the keys of limits that the limits themselves would not give the job; another payload may mean others. */
    private List<LimitKey> givenKeys(JobSpec spec) {
        if (spec.limits().isEmpty()) {
            return List.of();
        }
        LimitRules rules = backend.jobs().capability(LimitStore.class).map(store -> new LimitRules(store.limits()))
                .orElse(LimitRules.NONE);
        List<LimitKey> ofRules = rules.cover(spec.withLimits(List.of())).limits();
        return spec.limits().stream().filter(key -> rules.find(key.limit()) != null && !ofRules.contains(key)).toList();
    }

    /** Returns the payload of a job, which can be changed. */
    static JsonNode payload(Job job) {
        try {
            return Objects.requireNonNull(ControlJson.tree(job.spec().payload()));
        } catch (JacksonException | NumberFormatException e) {
            throw ControlException
                    .invalid("the payload of job " + job.id() + " cannot be read, so give one: " + e.getMessage());
        }
    }
}
