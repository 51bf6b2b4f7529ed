package dev.heddle.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.store.Bell;
import dev.heddle.store.Care;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.Claimed.Claim;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Store;
import dev.heddle.store.Submission;

/**
 * What a node leaves in its store when it dies in the middle of its work, made by the calls that it would have made
 * itself. Payloads are {@code {"text": "1"}}, {@code {"text": "2"}} and so on.
 */
public final class Wreck {

    /** Who died. Its lease has no length, so that others may know at once. */
    public static final String NODE = "dead-node";

    private final Store store;
    private final String type;
    private final Instant now;
    private int jobs;

    public Wreck(Store store, String type, Instant now) {
        this.store = store;
        this.type = type;
        this.now = now;
        store.join(new NodeRecord(NODE, now, now, Duration.ZERO, "[]"), Bell.silent());
    }

    /** Jobs that it had claimed, and whose start was not written yet. */
    public List<JobId> assigned(int count) {
        return claim(count).stream().map(claim -> claim.job().id()).toList();
    }

    /** Jobs that it ran. */
    public List<JobId> running(int count) {
        return running(count, Care.NONE);
    }

    public List<JobId> running(int count, Care care) {
        List<Claim> claims = claim(count);
        write(claims.stream().map(claim -> (Change) new Change.Started(claim.fence(), now, care)).toList());
        return claims.stream().map(claim -> claim.job().id()).toList();
    }

    /** Jobs that it ran and that had saved where to go on. */
    public List<JobId> checkpointed(int count, Care care) {
        List<Claim> claims = claim(count);
        write(claims.stream().map(claim -> (Change) new Change.Started(claim.fence(), now, care)).toList());
        write(claims.stream().map(claim -> (Change) new Change.Checkpointed(claim.fence(), "1", now))
                .toList());
        return claims.stream().map(claim -> claim.job().id()).toList();
    }

    /** Jobs that nobody had claimed. */
    public List<JobId> queued(int count) {
        List<NewJob> made = IntStream.range(0, count).mapToObj(_ -> new NewJob(new JobSpec(JobId.next(), type,
                "default", 0, "{\"text\": \"" + ++jobs + "\"}", now, JobSpec.Extras.NONE), null,
                NewJob.UNLIMITED)).toList();
        store.insert(List.of(new Submission(made)));
        return made.stream().map(job -> job.spec().id()).toList();
    }

    private List<Claim> claim(int count) {
        queued(count);
        List<Claim> claims = new ArrayList<>();
        while (claims.size() < count) {
            List<Claim> more = store.claim(new ClaimRequest(NODE, now, count - claims.size(),
                    List.of(new ClaimRequest.Wanted(type, false, count)))).jobs();
            if (more.isEmpty()) {
                throw new IllegalStateException(
                        "only " + claims.size() + " of " + count + " could be claimed");
            }
            claims.addAll(more);
        }
        return claims;
    }

    private void write(List<Change> changes) {
        store.apply(changes);
    }
}
