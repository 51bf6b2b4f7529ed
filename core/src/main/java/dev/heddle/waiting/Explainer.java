package dev.heddle.waiting;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.heddle.job.JobId;
import dev.heddle.job.JsonMappers;
import dev.heddle.store.JobReader;
import dev.heddle.store.NodeRecord;
import dev.heddle.worker.WorkerSnapshot;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;

/** Gathers the facts about a job from a store and its nodes, and explains why the job does not run. */
public final class Explainer {

    private static final TypeReference<List<WorkerSnapshot>> SNAPSHOTS = new TypeReference<>() {};

    private Explainer() {}

    /**
     * Explains a job; empty if there is no such job.
     *
     * @param here the node in this process, as of now; what others say about themselves is as old as the last renewal
     *     of their lease
     * @throws UnsupportedOperationException if the store cannot explain jobs
     */
    public static Optional<JobExplanation> explain(JobReader jobs, JobId id, Optional<LivingNode> here) {
        WaitStore store = jobs.capability(WaitStore.class)
                .orElseThrow(() -> new UnsupportedOperationException("this store cannot explain why a job waits"));
        return store.waitFacts(id).map(facts -> WaitRules.explain(facts, facts.job().state().isFinal() ? List.of()
                : nodes(jobs, here, facts.now())));
    }

    private static List<LivingNode> nodes(JobReader jobs, Optional<LivingNode> here, Instant now) {
        Stream<LivingNode> others = jobs.nodes().stream()
                .filter(node -> here.isEmpty() || !here.get().id().equals(node.id()))
                .filter(node -> now.isBefore(node.renewedAt().plus(node.lease()))).map(Explainer::read);
        return Stream.concat(here.stream(), others).toList();
    }

    private static LivingNode read(NodeRecord node) {
        return new LivingNode(node.id(), NodeStatus.read(node.status()).orElse(null), workers(node));
    }

    private static List<WorkerSnapshot> workers(NodeRecord node) {
        try {
            return JsonMappers.standard().readValue(node.workers(), SNAPSHOTS);
        } catch (JacksonException e) {
            return List.of();
        }
    }
}
