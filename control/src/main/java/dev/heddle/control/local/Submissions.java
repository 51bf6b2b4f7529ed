package dev.heddle.control.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.heddle.control.ControlException;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.SubmitResult;
import dev.heddle.job.Job;
import dev.heddle.job.JobRequest;
import dev.heddle.pool.Pool;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Submits drafts, and warns of jobs that this node cannot run as the caller may expect. */
record Submissions(Backend backend, SubmissionGate gate) {

    SubmitResult submit(List<@Nullable JobDraft> drafts) {
        List<JobRequest<JsonNode, JsonNode>> requests = new ArrayList<>(drafts.size());
        for (@Nullable JobDraft draft : drafts) {
            if (draft == null) {
                throw ControlException.invalid("a job must be an object and not null");
            }
            Job parent = draft.parent() == null ? null : new JobResolver(backend.jobs()).job(draft.parent());
            requests.add(JobRequests.of(draft, parent == null ? null : parent.id()));
            gate.requireSubmittable(draft, parent);
        }
        return accept(requests);
    }

    /** Submits requests that the gate has let through. */
    SubmitResult accept(List<JobRequest<JsonNode, JsonNode>> requests) {
        return new SubmitResult(
                backend.submit(requests).stream()
                        .map(job -> new SubmitResult.Accepted(job.id().toString(), !job.isNew(), job.effect()))
                        .toList(),
                backend.pool().map(pool -> warnings(pool, requests)).orElse(List.of()));
    }

    private static List<String> warnings(Pool pool, List<JobRequest<JsonNode, JsonNode>> requests) {
        Set<String> known = pool.admin().types();
        if (known.isEmpty()) {
            return List.of();
        }
        Set<String> unknown = new TreeSet<>();
        Set<String> ignoringSessions = new TreeSet<>();
        for (JobRequest<JsonNode, JsonNode> request : requests) {
            String type = request.type().name();
            if (!known.contains(type)) {
                unknown.add(type);
            } else if (request.session().isPresent() && !pool.admin().keepsSessions(type)) {
                ignoringSessions.add(type);
            }
        }
        return Stream.concat(
                unknown.stream()
                        .map(type -> "no handler for job type '" + type
                                + "' on this node; its jobs stay queued until a node has one. Known here: "
                                + String.join(", ", known)),
                ignoringSessions.stream()
                        .map(type -> "job type '" + type + "' ignores sessions: its jobs run on any worker"))
                .toList();
    }
}
