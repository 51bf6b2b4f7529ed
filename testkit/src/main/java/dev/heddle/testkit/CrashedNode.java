package dev.heddle.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Recovery;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.Store;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Submission;
import dev.heddle.store.Suspicion;

/**
 * A node that dies in the middle of its work. It joins the store, claims and starts jobs with the calls that a real
 * node would make, and never does anything else. The payloads are {@code {"text": "1"}}, {@code {"text": "2"}} and so
 * on.
 */
public final class CrashedNode {

    /** The id of the node. Its lease has no length, which lets other nodes declare it dead at once. */
    public static final String NODE = "dead-node";

    private static final int BATCH = 1_000;

    private final Store store;
    private final String type;
    private final Instant now;
    private String node = NODE;
    private int jobs;

    /** Joins the store as {@link #NODE}, to leave jobs of this type. */
    public CrashedNode(Store store, String type, Instant now) {
        this.store = store;
        this.type = type;
        this.now = now;
        join();
    }

    private void join() {
        store.join(new NodeRecord(node, now, now, Duration.ZERO, "[]"), StoreListener.none());
    }

    /** Leaves jobs that were claimed but whose start was not written; returns their ids in order. */
    public List<JobId> assigned(int count) {
        return claim(count).stream().map(claim -> claim.job().id()).toList();
    }

    /** Leaves jobs that were running; returns their ids in order. */
    public List<JobId> running(int count) {
        return running(count, StartGuarantee.NONE);
    }

    /** Leaves jobs that were running, with this guarantee about their start; returns their ids in order. */
    public List<JobId> running(int count, StartGuarantee care) {
        List<Claim> claims = claim(count);
        start(claims, care);
        return claims.stream().map(claim -> claim.job().id()).toList();
    }

    /** Leaves jobs that were running and had saved a checkpoint; returns their ids in order. */
    public List<JobId> checkpointed(int count, StartGuarantee care) {
        List<Claim> claims = claim(count);
        start(claims, care);
        write(claims.stream().map(claim -> (Change) new Change.Checkpointed(claim.fence(), "1", now)).toList());
        return claims.stream().map(claim -> claim.job().id()).toList();
    }

    /**
     * Leaves jobs that an earlier node held when it died, and that wait as suspects; returns their ids in order. From
     * here on the node has another id.
     */
    public List<JobId> suspects(int count, Suspicion suspicion) {
        List<JobId> ids = running(count);
        node += "'";
        join();
        store.recover(node, orphans -> orphans.stream().map(orphan -> new Recovery(orphan,
                new Transition.Requeue("node died"), false, orphan.job().phase(), suspicion)).toList(), now);
        return ids;
    }

    /** Leaves suspects that were running, their starts committed first; returns their ids in order. */
    public List<JobId> runningSuspects(int count) {
        List<JobId> ids = suspects(count, Suspicion.NONE.suspected());
        start(claim(count, true), StartGuarantee.COMMITTED_FIRST);
        return ids;
    }

    /** Leaves jobs that were never claimed; returns their ids in order. */
    public List<JobId> queued(int count) {
        List<NewJob> made = IntStream.range(0, count).mapToObj(_ -> new NewJob(new JobSpec(JobId.next(), type,
                "default", 0, "{\"text\": \"" + ++jobs + "\"}", now, JobSpec.Extras.NONE)))
                .toList();
        store.insert(List.of(new Submission(made)));
        return made.stream().map(job -> job.spec().id()).toList();
    }

    private void start(List<Claim> claims, StartGuarantee care) {
        write(claims.stream().map(claim -> (Change) new Change.Started(claim.fence(), now, care)).toList());
    }

    private List<Claim> claim(int count) {
        queued(count);
        return claim(count, false);
    }

    private List<Claim> claim(int count, boolean suspect) {
        List<Claim> claims = new ArrayList<>();
        while (claims.size() < count) {
            List<Claim> more = store.claim(new ClaimRequest(node, now, count - claims.size(),
                    List.of(new ClaimRequest.Wanted(type, suspect, count)))).claims();
            if (more.isEmpty()) {
                throw new IllegalStateException(
                        "claimed only " + claims.size() + " of " + count + " jobs; the store must be empty");
            }
            claims.addAll(more);
        }
        return claims;
    }

    /** Writes in batches, as a ledger does: a store may compare every change of a batch with every other. */
    private void write(List<Change> changes) {
        for (int from = 0; from < changes.size(); from += BATCH) {
            store.apply(changes.subList(from, Math.min(from + BATCH, changes.size())));
        }
    }
}
