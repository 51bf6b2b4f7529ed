package dev.heddle.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.Bell;
import dev.heddle.store.Care;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.Claimed;
import dev.heddle.store.Command;
import dev.heddle.store.Fence;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Receipt;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.Ruling;
import dev.heddle.store.Store;
import dev.heddle.store.Story;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import static org.assertj.core.api.Assertions.assertThat;

/** One open store that {@link #NODE} has joined, and the short ways to bring a job into each state. */
abstract class StoreFixture {

    static final Instant T0 = Instant.parse("2026-03-01T12:00:00Z");
    static final String NODE = "node-1";
    static final String NEXT_NODE = "node-2";
    static final String WORKER = "worker-1";
    static final String ACTOR = "ann";
    static final Failure BOOM = Failure.of(FailureCategory.TRANSIENT, "boom");

    private final StoreContract door;
    Store store;
    /** Who has the store. */
    String node = NODE;

    StoreFixture(StoreContract door) {
        this.door = door;
    }

    @BeforeEach
    void open() {
        store = door.newStore();
        join(NODE, T0);
    }

    @AfterEach
    void close() {
        store.close();
    }

    void join(String id, Instant now) {
        store.join(record(id, now, now), Bell.silent());
    }

    /** Leases of no length: whoever has not just renewed counts as dead. */
    static NodeRecord record(String id, Instant joinedAt, Instant renewedAt) {
        return new NodeRecord(id, joinedAt, renewedAt, Duration.ZERO, "[]");
    }

    /** {@link #NODE} is gone, and {@link #NEXT_NODE} takes the store at this time. */
    void restart(Instant now) {
        restart(now, Bell.silent());
    }

    /** The same, and it hears this bell. */
    void restart(Instant now, Bell bell) {
        store = door.reopen(store);
        store.join(record(NEXT_NODE, now, now), bell);
        node = NEXT_NODE;
    }

    /** As {@link #restart}, and everything that was held goes the same way. */
    List<Recovery> crash(Transition transition, boolean crashed, Instant now) {
        restart(now);
        return store.recover(NEXT_NODE, all(transition, crashed), now);
    }

    static RecoveryPlan all(Transition transition, boolean crashed) {
        return orphans -> orphans.stream().map(orphan -> new Recovery(orphan, transition, crashed)).toList();
    }

    static Instant at(long seconds) {
        return T0.plusSeconds(seconds);
    }

    static Submission submission(Draft... drafts) {
        return new Submission(Arrays.stream(drafts).map(Draft::job).toList());
    }

    Receipt submit(Draft... drafts) {
        List<Receipt> receipts = store.insert(List.of(submission(drafts)));
        assertThat(receipts).hasSize(1);
        return receipts.getFirst();
    }

    /** The id of the job that now stands for the draft. */
    JobId insert(Draft draft) {
        Receipt receipt = submit(draft);
        assertThat(receipt).isInstanceOf(Receipt.Accepted.class);
        List<JobId> ids = ((Receipt.Accepted) receipt).ids();
        assertThat(ids).hasSize(1);
        return ids.getFirst();
    }

    static Receipt accepted(Draft... drafts) {
        return new Receipt.Accepted(Arrays.stream(drafts).map(Draft::id).toList());
    }

    static Wanted any(String type) {
        return new Wanted(type, false, 100);
    }

    static Wanted suspects(String type) {
        return new Wanted(type, true, 100);
    }

    Claimed claim(Instant now, int limit, Wanted... wanted) {
        return store.claim(new ClaimRequest(node, now, limit, List.of(wanted)));
    }

    static List<JobId> ids(Claimed claimed) {
        return claimed.jobs().stream().map(claim -> claim.job().id()).toList();
    }

    static List<JobId> ids(List<Job> jobs) {
        return jobs.stream().map(Job::id).toList();
    }

    /** The one job of its type that can be claimed now. */
    Fence claimAgain(JobId id, Instant now) {
        String type = job(id).type();
        Claimed claimed = claim(now, 100, any(type), suspects(type));
        assertThat(ids(claimed)).containsExactly(id);
        return claimed.jobs().getFirst().fence();
    }

    Fence claimed(Draft draft) {
        return claimAgain(insert(draft), T0);
    }

    Fence start(Fence fence) {
        assertThat(apply(new Change.Started(fence, at(1), Care.NONE))).isEqualTo(Verdict.APPLIED);
        return fence;
    }

    Fence running(Draft draft) {
        return start(claimed(draft));
    }

    Verdict apply(Change change) {
        List<Verdict> verdicts = store.apply(List.of(change));
        assertThat(verdicts).hasSize(1);
        return verdicts.getFirst();
    }

    void applied(Change change) {
        assertThat(apply(change)).isEqualTo(Verdict.APPLIED);
    }

    static Change.Ended ended(Fence fence, Attempt.End end, Transition transition) {
        return ended(fence, end, transition, at(2));
    }

    static Change.Ended ended(Fence fence, Attempt.End end, Transition transition, Instant endedAt) {
        boolean failed = end == Attempt.End.FAILED || end == Attempt.End.TIMED_OUT;
        return new Change.Ended(fence,
                new Change.Execution(WORKER, T0, at(1), endedAt, end, failed ? BOOM : null), transition,
                true);
    }

    static Change.Ingested ingested(Fence fence, Draft... children) {
        Transition wait = new Transition.Wait("waits for " + children.length);
        return new Change.Ingested(ended(fence, Attempt.End.INGESTED, wait),
                Arrays.stream(children).map(Draft::job).toList());
    }

    /** The draft as a two-phase job that waits for these, which have a node each only once they are claimed. */
    JobId waiting(Draft draft, Draft... children) {
        for (Draft child : children) {
            child.parent(draft.id());
        }
        applied(ingested(running(draft), children));
        return draft.id();
    }

    static Change.Ended completion(Fence fence) {
        return ended(fence, Attempt.End.COMPLETED, new Transition.Complete("42"));
    }

    static Change.Ended death(Fence fence) {
        return ended(fence, Attempt.End.FAILED, new Transition.Die("no retries left"));
    }

    JobId completed(Draft draft, Instant endedAt) {
        applied(ended(running(draft), Attempt.End.COMPLETED, new Transition.Complete("42"), endedAt));
        return draft.id();
    }

    JobId dead(Draft draft) {
        applied(death(running(draft)));
        return draft.id();
    }

    JobId cancelled(Draft draft, Instant endedAt) {
        JobId id = insert(draft);
        assertThat(store.execute(cancel(id, endedAt))).isEqualTo(new Ruling.Done(1));
        return id;
    }

    static Command cancel(JobId id, Instant at) {
        return new Command.Cancel(id, "not needed", ACTOR, at);
    }

    static Command pause(JobId id) {
        return new Command.Pause(id, "too early", ACTOR, at(5));
    }

    /** The draft as a job in that state. */
    JobId in(JobState state, Draft draft) {
        switch (state) {
            case QUEUED -> insert(draft);
            case SCHEDULED -> insert(draft.due(at(3600)));
            case PAUSED -> store.execute(pause(insert(draft)));
            case ASSIGNED -> claimed(draft);
            case RUNNING -> running(draft);
            case COMPLETED -> completed(draft, at(2));
            case FAILED -> dead(draft);
            case CANCELLED -> cancelled(draft, at(2));
            case WAITING -> waiting(draft, Draft.of("child"));
        }
        assertThat(job(draft.id()).state()).isEqualTo(state);
        return draft.id();
    }

    Job job(JobId id) {
        return store.find(id).orElseThrow();
    }

    Story story(JobId id) {
        return store.story(id).orElseThrow();
    }
}
