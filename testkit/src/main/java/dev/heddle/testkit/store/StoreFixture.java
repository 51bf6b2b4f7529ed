package dev.heddle.testkit.store;

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
import dev.heddle.stats.CountStore;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.CommandResult;
import dev.heddle.store.Fence;
import dev.heddle.store.JobDetails;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Receipt;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.JobDraft;
import dev.heddle.testkit.ManualClock;
import dev.heddle.testkit.StoreCapabilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import static org.assertj.core.api.Assertions.assertThat;

/** An open store that {@link #NODE} has joined, and shortcuts that bring a job into each state. */
abstract class StoreFixture {

    static final Instant T0 = JobDraft.CREATED_AT;
    static final String NODE = "node-1";
    static final String NEXT_NODE = "node-2";
    static final String WORKER = "worker-1";
    static final String ACTOR = "ann";
    static final Failure BOOM = Failure.of(FailureCategory.TRANSIENT, "boom");

    private final StoreContract contract;
    /** The clock of the store. */
    final ManualClock clock = new ManualClock(T0);
    Store store;
    /** The node that currently uses the store. */
    String node = NODE;

    StoreFixture(StoreContract contract) {
        this.contract = contract;
    }

    /** Returns an optional capability of the store; skips the test if the store does not offer it. */
    <T> T capability(Class<T> type) {
        return StoreCapabilities.require(store, type);
    }

    @BeforeEach
    void open() {
        store = contract.newStore();
        contract.follow(store, clock);
        join(NODE, T0);
    }

    /** Whatever a test does, the kept counts have to be those of the jobs. */
    @AfterEach
    void close() {
        try {
            store.capability(CountStore.class).ifPresent(counts -> assertThat(checked(counts)).isEmpty());
        } finally {
            store.close();
        }
    }

    private static List<CountStore.Difference> checked(CountStore counts) {
        try {
            return counts.checkCounts(false);
        } catch (StoreException e) {
            assertThat(e.kind()).isEqualTo(StoreException.Kind.CLOSED);
            return List.of();
        }
    }

    void join(String id, Instant now) {
        store.join(record(id, now, now), StoreListener.none());
    }

    /** Returns a node whose lease has no length: it counts as dead unless it renews at the very same instant. */
    static NodeRecord record(String id, Instant joinedAt, Instant renewedAt) {
        return new NodeRecord(id, joinedAt, renewedAt, Duration.ZERO, "[]");
    }

    /** Reopens the store: {@link #NODE} is gone, and {@link #NEXT_NODE} joins at this time. */
    void restart(Instant now) {
        restart(now, StoreListener.none());
    }

    /** Does the same with a listener for {@link #NEXT_NODE}. */
    void restart(Instant now, StoreListener bell) {
        restartAs(NEXT_NODE, now, bell);
    }

    /** Reopens the store: the node is gone, and another one joins. */
    void restartAs(String id, Instant now, StoreListener bell) {
        store = contract.reopen(store);
        contract.follow(store, clock);
        store.join(record(id, now, now), bell);
        node = id;
    }

    /** {@linkplain #restart(Instant) Restarts} the store and recovers every orphan with the same transition. */
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

    static Submission submission(JobDraft... drafts) {
        return new Submission(Arrays.stream(drafts).map(JobDraft::job).toList());
    }

    Receipt submit(JobDraft... drafts) {
        List<Receipt> receipts = store.insert(List.of(submission(drafts)));
        assertThat(receipts).hasSize(1);
        return receipts.getFirst();
    }

    /** Submits the draft and returns the id of its job, or of the live job that has its dedupe key. */
    JobId insert(JobDraft draft) {
        Receipt receipt = submit(draft);
        assertThat(receipt).isInstanceOf(Receipt.Accepted.class);
        List<Receipt.Stored> jobs = ((Receipt.Accepted) receipt).jobs();
        assertThat(jobs).hasSize(1);
        return jobs.getFirst().id();
    }

    /** Returns the receipt for drafts that were all new. */
    static Receipt accepted(JobDraft... drafts) {
        return new Receipt.Accepted(
                Arrays.stream(drafts).map(draft -> new Receipt.Stored(draft.id(), true)).toList());
    }

    /** Returns the receipt for a draft if a job was there already. */
    static Receipt existing(JobId id) {
        return new Receipt.Accepted(List.of(new Receipt.Stored(id, false)));
    }

    static Wanted any(String type) {
        return new Wanted(type, false, 100);
    }

    static Wanted suspects(String type) {
        return new Wanted(type, true, 100);
    }

    /** Lets time pass, unless it is later already. */
    void passUntil(Instant time) {
        if (time.isAfter(clock.instant())) {
            clock.advance(Duration.between(clock.instant(), time));
        }
    }

    ClaimResult claim(Instant now, int limit, Wanted... wanted) {
        passUntil(now);
        return store.claim(new ClaimRequest(node, now, limit, List.of(wanted)));
    }

    static List<JobId> ids(ClaimResult claimed) {
        return claimed.claims().stream().map(claim -> claim.job().id()).toList();
    }

    static List<JobId> ids(List<Job> jobs) {
        return jobs.stream().map(Job::id).toList();
    }

    /** Claims the job, which must be the only one of its type that can be claimed now. */
    Fence claimAgain(JobId id, Instant now) {
        String type = job(id).type();
        ClaimResult claimed = claim(now, 100, any(type), suspects(type));
        assertThat(ids(claimed)).containsExactly(id);
        return claimed.claims().getFirst().fence();
    }

    Fence claimed(JobDraft draft) {
        return claimAgain(insert(draft), T0);
    }

    Fence start(Fence fence) {
        assertThat(apply(new Change.Started(fence, at(1), StartGuarantee.NONE))).isEqualTo(Verdict.APPLIED);
        return fence;
    }

    Fence running(JobDraft draft) {
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

    /** Returns a retry that is due at this time if it is written now. */
    Transition retry(Instant due, String reason) {
        return new Transition.Retry(Duration.between(clock.instant(), due), reason);
    }

    static Change.Ended ended(Fence fence, Attempt.End end, Transition transition) {
        return ended(fence, end, transition, at(2));
    }

    static Change.Ended ended(Fence fence, Attempt.End end, Transition transition, Instant endedAt) {
        boolean failed = end == Attempt.End.FAILED || end == Attempt.End.TIMED_OUT;
        return new Change.Ended(fence, new Change.Execution(WORKER, T0, at(1), endedAt, end, failed ? BOOM : null),
                transition, true);
    }

    static Change.Ingested ingested(Fence fence, JobDraft... children) {
        Transition wait = new Transition.Wait("waits for " + children.length);
        return new Change.Ingested(ended(fence, Attempt.End.INGESTED, wait),
                Arrays.stream(children).map(JobDraft::job).toList());
    }

    /**
     * Submits the draft as a two-phase job and ends its ingest phase: it now waits for these children, which are
     * queued.
     */
    JobId waiting(JobDraft draft, JobDraft... children) {
        for (JobDraft child : children) {
            child.parent(draft.id());
        }
        applied(ingested(running(draft), children));
        return draft.id();
    }

    static Change.Ended completion(Fence fence) {
        return ended(fence, Attempt.End.COMPLETED, new Transition.Complete("42"));
    }

    static Change.Ended death(Fence fence) {
        return ended(fence, Attempt.End.FAILED, new Transition.Fail("no retries left"));
    }

    JobId completed(JobDraft draft, Instant endedAt) {
        applied(ended(running(draft), Attempt.End.COMPLETED, new Transition.Complete("42"), endedAt));
        return draft.id();
    }

    JobId dead(JobDraft draft) {
        applied(death(running(draft)));
        return draft.id();
    }

    JobId cancelled(JobDraft draft, Instant endedAt) {
        JobId id = insert(draft);
        assertThat(store.execute(cancel(id, endedAt))).isEqualTo(new CommandResult.Done(1));
        return id;
    }

    static AdminCommand cancel(JobId id, Instant at) {
        return new AdminCommand.Cancel(id, "not needed", ACTOR, at);
    }

    static AdminCommand pause(JobId id) {
        return new AdminCommand.Pause(id, "too early", ACTOR, at(5));
    }

    /** Submits the draft and brings its job into this state. */
    JobId in(JobState state, JobDraft draft) {
        switch (state) {
            case QUEUED -> insert(draft);
            case SCHEDULED -> insert(draft.due(at(3600)));
            case PAUSED -> store.execute(pause(insert(draft)));
            case ASSIGNED -> claimed(draft);
            case RUNNING -> running(draft);
            case COMPLETED -> completed(draft, at(2));
            case FAILED -> dead(draft);
            case CANCELLED -> cancelled(draft, at(2));
            case WAITING -> waiting(draft, JobDraft.of("child"));
        }
        assertThat(job(draft.id()).state()).isEqualTo(state);
        return draft.id();
    }

    Job job(JobId id) {
        return store.find(id).orElseThrow();
    }

    JobDetails story(JobId id) {
        return store.details(id).orElseThrow();
    }
}
