package dev.heddle.testkit.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.job.Transition;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.CommandResult;
import dev.heddle.store.FamilyReasons;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Receipt;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Parents that wait for their children: no child is lost or duplicated, and a parent continues once its last child has
 * ended.
 */
abstract class FamilyStoreContract extends StoreFixture {

    private final JobDraft parent = JobDraft.of("import");
    private final JobDraft first = JobDraft.of("parse");
    private final JobDraft second = JobDraft.of("parse");

    FamilyStoreContract(StoreContract contract) {
        super(contract);
    }

    private Fence claimOne(JobDraft draft) {
        return claim(at(3), 1, any(draft.type())).claims().getFirst().fence();
    }

    @Test
    void storesChildrenPhaseAndWaitingStateInOneCommit() {
        waiting(parent, first, second);

        Job job = job(parent.id());
        assertThat(job.state()).isEqualTo(JobState.WAITING);
        assertThat(job.phase()).isEqualTo(Phase.AGGREGATE);
        assertThat(job.status().node()).as("no worker runs it").isNull();
        assertThat(job.counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(job(first.id())).satisfies(child -> {
            assertThat(child.state()).isEqualTo(JobState.QUEUED);
            assertThat(child.spec().parent()).contains(parent.id());
        });
        assertThat(story(parent.id()).attempts()).extracting(Attempt::end).containsExactly(Attempt.End.INGESTED);
        assertThat(story(parent.id()).history())
                .containsExactly(new HistoryEntry(JobState.RUNNING, JobState.WAITING, "waits for 2", NODE, at(2)));
        assertThat(claim(at(3), 9, any("import")).claims()).as("a waiting job cannot be claimed").isEmpty();
    }

    @Test
    void storesNothingForAnIngestThatLostItsJob() {
        Fence lost = running(parent);
        crash(new Transition.Requeue("node died"), false, at(5));

        assertThat(apply(ingested(lost, first.parent(parent.id())))).isEqualTo(Verdict.LOST);

        assertThat(job(parent.id()).phase()).isEqualTo(Phase.INGEST);
        assertThat(store.find(first.id())).isEmpty();
    }

    @Test
    void storesChildrenOnceIfTheAnswerToAnIngestIsLost() {
        Change.Ingested ingested = ingested(running(parent), first.parent(parent.id()));
        applied(ingested);

        assertThat(apply(ingested)).isEqualTo(Verdict.REPEATED);

        assertThat(store.list(JobQuery.all().parent(parent.id()))).hasSize(1);
        assertThat(job(parent.id()).state()).isEqualTo(JobState.WAITING);
    }

    @Test
    void dropsTheChildrenOfACancelledIngest() {
        Fence fence = running(parent);
        store.execute(cancel(parent.id(), at(2)));

        assertThat(apply(ingested(fence, first.parent(parent.id())))).isEqualTo(Verdict.CANCELLED);

        assertThat(job(parent.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(job(parent.id()).endedAt()).isPresent();
        assertThat(store.find(first.id())).isEmpty();
    }

    /** If start and end fall into the same commit, the ledger sends only the end. */
    @Test
    void recordsTheStartOfAnIngestThatIsCommittedWithItsEnd() {
        applied(ingested(claimed(parent), first.parent(parent.id())));

        assertThat(story(parent.id()).history()).extracting(HistoryEntry::from, HistoryEntry::to)
                .containsExactly(tuple(JobState.RUNNING, JobState.WAITING));
    }

    @Test
    void queuesAParentWithoutChildrenImmediately() {
        waiting(parent);

        Job claimed = claim(at(3), 1, any("import")).claims().getFirst().job();
        assertThat(claimed.id()).isEqualTo(parent.id());
        assertThat(claimed.phase()).isEqualTo(Phase.AGGREGATE);
        assertThat(claimed.counts().attempt()).isEqualTo(2);
        assertThat(story(parent.id()).history()).extracting(HistoryEntry::to).containsExactly(JobState.WAITING,
                JobState.QUEUED);
    }

    enum ChildEnd {
        COMPLETED, DEAD, CANCELLED, DELETED
    }

    @ParameterizedTest
    @EnumSource
    void wakesAParentHoweverItsLastChildEnds(ChildEnd end) {
        waiting(parent, first, second);
        applied(completion(start(claimOne(first))));
        assertThat(job(parent.id()).state()).as("one child is unfinished").isEqualTo(JobState.WAITING);

        switch (end) {
            case COMPLETED -> applied(completion(start(claimOne(second))));
            case DEAD -> applied(death(start(claimOne(second))));
            case CANCELLED -> store.execute(cancel(second.id(), at(4)));
            case DELETED -> store.execute(new AdminCommand.Delete(second.id(), ACTOR, at(4)));
        }

        assertThat(job(parent.id()).state()).isEqualTo(JobState.QUEUED);
        assertThat(story(parent.id()).history().getLast()).satisfies(entry -> {
            assertThat(entry.from()).isEqualTo(JobState.WAITING);
            assertThat(entry.reason()).isEqualTo(FamilyReasons.CHILDREN_ENDED);
        });
    }

    @Test
    void wakesAParentOnceIfItsLastChildrenEndInOneCommit() {
        waiting(parent, first, second);
        Fence one = start(claimOne(first));
        Fence other = start(claimOne(second));

        assertThat(store.apply(List.of(completion(one), death(other)))).containsExactly(Verdict.APPLIED,
                Verdict.APPLIED);

        assertThat(job(parent.id()).state()).isEqualTo(JobState.QUEUED);
        assertThat(story(parent.id()).history()).extracting(HistoryEntry::to).containsExactly(JobState.WAITING,
                JobState.QUEUED);
    }

    @Test
    void waitsForTheRunningAttemptOfACancelledChild() {
        waiting(parent, first);
        Fence running = start(claimOne(first));
        store.execute(cancel(first.id(), at(4)));
        assertThat(job(parent.id()).state()).as("its attempt still runs").isEqualTo(JobState.WAITING);

        assertThat(apply(completion(running))).isEqualTo(Verdict.CANCELLED);

        assertThat(job(parent.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void waitsForAChildThatIsRetriedRescheduledOrPaused() {
        waiting(parent, first, second);
        applied(ended(start(claimOne(first)), Attempt.End.FAILED, retry(at(60), "again")));
        store.execute(pause(second.id()));

        assertThat(job(parent.id()).state()).isEqualTo(JobState.WAITING);
    }

    @Test
    void waitsAgainIfADeadChildIsRetried() {
        waiting(parent, first, second);
        applied(death(start(claimOne(first))));
        store.execute(new AdminCommand.Retry(first.id(), ACTOR, at(5)));
        store.execute(cancel(second.id(), at(6)));
        assertThat(job(parent.id()).state()).isEqualTo(JobState.WAITING);

        applied(completion(start(claimOne(first))));

        assertThat(job(parent.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void notifiesNodesWhenAParentCanContinue() {
        AtomicInteger notifications = new AtomicInteger();
        restart(T0, new StoreListener() {
            @Override
            public void workAvailable() {
                notifications.incrementAndGet();
            }

            @Override
            public void jobsChanged() {}

            @Override
            public void notificationsReliable(boolean heard) {}

            @Override
            public void clockJumped(Duration jump, int moved) {}
        });
        waiting(parent, first);
        Fence child = start(claimOne(first));
        int before = notifications.get();

        applied(completion(child));

        assertThat(notifications.get()).isGreaterThan(before);
    }

    @Test
    void countsChildrenByStateAndListsThemInSpawnOrder() {
        List<JobDraft> children = IntStream.range(0, 5).mapToObj(_ -> JobDraft.of("parse")).toList();
        waiting(parent, children.toArray(JobDraft[]::new));
        applied(completion(start(claimOne(first))));
        start(claimOne(first));
        store.execute(pause(children.get(4).id()));

        assertThat(story(parent.id()).children()).isEqualTo(
                Map.of(JobState.COMPLETED, 1L, JobState.RUNNING, 1L, JobState.QUEUED, 2L, JobState.PAUSED, 1L));
        assertThat(story(children.getFirst().id()).children()).isEmpty();
        JobQuery firstPage = JobQuery.all().parent(parent.id()).after(0).limit(3);
        List<Job> page = store.list(firstPage);
        List<Job> rest = store.list(firstPage.after(page.getLast().seq()));
        assertThat(ids(page)).containsExactlyElementsOf(children.stream().limit(3).map(JobDraft::id).toList());
        assertThat(ids(rest)).containsExactlyElementsOf(children.stream().skip(3).map(JobDraft::id).toList());
    }

    @Test
    void refusesAChildWhoseParentDoesNotExist() {
        JobId gone = JobId.next();

        assertThat(submit(JobDraft.of("ok"), first.parent(gone))).isEqualTo(new Receipt.NoParent(gone));
        assertThat(store.list(JobQuery.all())).as("the whole submission is refused").isEmpty();
        assertThat(submit(parent, second.parent(parent.id()))).as("a parent may be submitted with its child")
                .isEqualTo(accepted(parent, second));
        assertThat(store.execute(cancel(parent.id(), at(4)))).as("the cancellation includes the child")
                .isEqualTo(new CommandResult.Done(2));
    }

    @Test
    void acceptsASpawnedChildOnlyWhileTheAttemptOwnsItsJob() {
        Fence fence = running(parent);
        assertThat(spawn(first, fence)).isEqualTo(accepted(first));
        assertThat(job(first.id()).spec().parent()).contains(parent.id());

        store.execute(cancel(parent.id(), at(3)));
        assertThat(spawn(second, fence)).as("the parent is cancelled").isEqualTo(new Receipt.NoParent(parent.id()));
        apply(completion(fence));
        assertThat(spawn(second, fence)).as("the parent's attempt has ended")
                .isEqualTo(new Receipt.NoParent(parent.id()));
        store.execute(new AdminCommand.Delete(parent.id(), ACTOR, at(4)));
        assertThat(spawn(second, fence)).as("the parent is deleted").isEqualTo(new Receipt.NoParent(parent.id()));
        assertThat(store.find(second.id())).isEmpty();
    }

    private Receipt spawn(JobDraft child, Fence spawner) {
        return store.insert(List.of(new Submission(List.of(child.parent(parent.id()).job()), spawner))).getFirst();
    }

    @Test
    void retriesADeadParentInThePhaseItDiedIn() {
        waiting(parent, first);
        applied(completion(start(claimOne(first))));
        applied(death(start(claimOne(parent))));
        assertThat(job(parent.id()).phase()).isEqualTo(Phase.AGGREGATE);

        store.execute(new AdminCommand.Retry(parent.id(), ACTOR, at(5)));

        assertThat(job(parent.id()).phase()).isEqualTo(Phase.AGGREGATE);
        assertThat(job(parent.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void restartsADeadParentFromIngestIfItsChildrenAreGone() {
        waiting(parent, first);
        applied(completion(start(claimOne(first))));
        applied(death(start(claimOne(parent))));
        store.execute(new AdminCommand.Delete(first.id(), ACTOR, at(5)));

        store.execute(new AdminCommand.Retry(parent.id(), ACTOR, at(6)));

        assertThat(job(parent.id()).phase()).isEqualTo(Phase.INGEST);
    }

    @Test
    void keepsTheStateThatIngestSavedForAggregate() {
        Fence fence = running(parent);
        applied(new Change.Checkpointed(fence, "{\"lines\": 3}", at(1)));
        applied(ingested(fence));

        assertThat(store.saved(job(parent.id()).seq()).checkpoint()).isPresent();
    }
}
