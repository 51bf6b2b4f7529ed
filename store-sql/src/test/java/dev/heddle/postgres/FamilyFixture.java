package dev.heddle.postgres;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Store;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Submission;
import dev.heddle.testkit.JobDraft;

/** Creates families in a store directly, without a pool. */
final class FamilyFixture {

    static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private FamilyFixture() {}

    static void join(Store store, String node) {
        store.join(new NodeRecord(node, NOW, NOW, Duration.ofMinutes(10), "[]"), StoreListener.none());
    }

    static NewJob job(String type, JobId parent) {
        return JobDraft.of(type).queue("queue").createdAt(NOW).parent(parent).job();
    }

    static JobId insert(Store store, String type) {
        JobSpec spec = new JobSpec(JobId.next(), type, "queue", 0, "{}", NOW, JobSpec.Extras.NONE);
        store.insert(List.of(new Submission(List.of(new NewJob(spec)))));
        return spec.id();
    }

    /** Creates a parent that waits for a number of children. */
    static JobId waiting(Store store, String node, int children) {
        JobId parent = insert(store, "parent");
        store.apply(List.of(new Change.Ingested(
                ended(claim(store, node, "parent", 1).getFirst(), Attempt.End.INGESTED, new Transition.Wait("waits")),
                IntStream.range(0, children).mapToObj(_ -> job("child", parent)).toList())));
        return parent;
    }

    static List<Fence> claim(Store store, String node, String type, int most) {
        return store.claim(new ClaimRequest(node, NOW, most, List.of(new ClaimRequest.Wanted(type, false, most))))
                .claims().stream().map(ClaimResult.Claim::fence).toList();
    }

    static Change.Ended completed(Fence fence) {
        return ended(fence, Attempt.End.COMPLETED, new Transition.Complete("1"));
    }

    private static Change.Ended ended(Fence fence, Attempt.End end, Transition transition) {
        return new Change.Ended(fence, new Change.Execution("worker", NOW, NOW, NOW, end, null), transition, false);
    }
}
