package dev.heddle.testkit;

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
import dev.heddle.store.Bell;
import dev.heddle.store.Change;
import dev.heddle.store.Command;
import dev.heddle.store.Families;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Receipt;
import dev.heddle.store.Ruling;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Parents that wait for their children: what the original's {@code TestParentJobHierarchy} and {@code
 * TestTASBotParentJobHierarchy} promise of the store, and that no child is forgotten or made twice.
 */
abstract class FamilyContract extends StoreFixture {

    private final Draft parent = Draft.of("import");
    private final Draft first = Draft.of("parse");
    private final Draft second = Draft.of("parse");

    FamilyContract(StoreContract door) {
        super(door);
    }

    private Fence claimOne(Draft draft) {
        return claim(at(3), 1, any(draft.type())).jobs().getFirst().fence();
    }

    @Test
    void storesTheChildrenThePhaseAndTheWaitingOfAnIngestTogether() {
        waiting(parent, first, second);

        Job job = job(parent.id());
        assertThat(job.state()).isEqualTo(JobState.WAITING);
        assertThat(job.phase()).isEqualTo(Phase.AGGREGATE);
        assertThat(job.status().node()).as("it holds no worker").isNull();
        assertThat(job.counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(job(first.id())).satisfies(child -> {
            assertThat(child.state()).isEqualTo(JobState.QUEUED);
            assertThat(child.spec().parent()).contains(parent.id());
        });
        assertThat(story(parent.id()).attempts()).extracting(Attempt::end)
                .containsExactly(Attempt.End.INGESTED);
        assertThat(story(parent.id()).history()).containsExactly(
                new HistoryEntry(JobState.RUNNING, JobState.WAITING, "waits for 2", NODE, at(2)));
        assertThat(claim(at(3), 9, any("import")).jobs()).as("nobody can claim it").isEmpty();
    }

    @Test
    void storesNothingOfAnIngestWhoseJobWasTakenAway() {
        Fence lost = running(parent);
        crash(new Transition.Requeue("node died"), false, at(5));

        assertThat(apply(ingested(lost, first.parent(parent.id())))).isEqualTo(Verdict.LOST);

        assertThat(job(parent.id()).phase()).isEqualTo(Phase.INGEST);
        assertThat(store.find(first.id())).isEmpty();
    }

    @Test
    void storesTheChildrenOnceOfAnIngestWhoseAnswerWasLost() {
        Change.Ingested ingested = ingested(running(parent), first.parent(parent.id()));
        applied(ingested);

        assertThat(apply(ingested)).isEqualTo(Verdict.REPEATED);

        assertThat(store.list(JobQuery.all().parent(parent.id()))).hasSize(1);
        assertThat(job(parent.id()).state()).isEqualTo(JobState.WAITING);
    }

    @Test
    void endsACancelledIngestWithoutItsChildren() {
        Fence fence = running(parent);
        store.execute(cancel(parent.id(), at(2)));

        assertThat(apply(ingested(fence, first.parent(parent.id())))).isEqualTo(Verdict.CANCELLED);

        assertThat(job(parent.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(job(parent.id()).endedAt()).isPresent();
        assertThat(store.find(first.id())).isEmpty();
    }

    /** A start and an end that fall into one commit are written as one. */
    @Test
    void saysThatAnIngestRanWhoseStartWasNotWrittenApart() {
        applied(ingested(claimed(parent), first.parent(parent.id())));

        assertThat(story(parent.id()).history()).extracting(HistoryEntry::from, HistoryEntry::to)
                .containsExactly(tuple(JobState.RUNNING, JobState.WAITING));
    }

    @Test
    void goesStraightOnWhereThereIsNoChild() {
        waiting(parent);

        Job claimed = claim(at(3), 1, any("import")).jobs().getFirst().job();
        assertThat(claimed.id()).isEqualTo(parent.id());
        assertThat(claimed.phase()).isEqualTo(Phase.AGGREGATE);
        assertThat(claimed.counts().attempt()).isEqualTo(2);
        assertThat(story(parent.id()).history()).extracting(HistoryEntry::to)
                .containsExactly(JobState.WAITING, JobState.QUEUED);
    }

    /** However the last child goes. */
    enum Way {
        COMPLETED, DEAD, CANCELLED, DELETED
    }

    @ParameterizedTest
    @EnumSource
    void wakesAParentWhenItsLastChildIsNoMore(Way way) {
        waiting(parent, first, second);
        applied(completion(start(claimOne(first))));
        assertThat(job(parent.id()).state()).as("one is still at work").isEqualTo(JobState.WAITING);

        switch (way) {
            case COMPLETED -> applied(completion(start(claimOne(second))));
            case DEAD -> applied(death(start(claimOne(second))));
            case CANCELLED -> store.execute(cancel(second.id(), at(4)));
            case DELETED -> store.execute(new Command.Delete(second.id(), ACTOR, at(4)));
        }

        assertThat(job(parent.id()).state()).isEqualTo(JobState.QUEUED);
        assertThat(story(parent.id()).history().getLast()).satisfies(entry -> {
            assertThat(entry.from()).isEqualTo(JobState.WAITING);
            assertThat(entry.reason()).isEqualTo(Families.ALL_ENDED);
        });
    }

    @Test
    void wakesAParentOnceWhoseLastChildrenEndInOneCommit() {
        waiting(parent, first, second);
        Fence one = start(claimOne(first));
        Fence other = start(claimOne(second));

        assertThat(store.apply(List.of(completion(one), death(other))))
                .containsExactly(Verdict.APPLIED, Verdict.APPLIED);

        assertThat(job(parent.id()).state()).isEqualTo(JobState.QUEUED);
        assertThat(story(parent.id()).history()).extracting(HistoryEntry::to)
                .containsExactly(JobState.WAITING, JobState.QUEUED);
    }

    @Test
    void waitsForTheAttemptOfACancelledChild() {
        waiting(parent, first);
        Fence running = start(claimOne(first));
        store.execute(cancel(first.id(), at(4)));
        assertThat(job(parent.id()).state()).as("its handler still runs").isEqualTo(JobState.WAITING);

        assertThat(apply(completion(running))).isEqualTo(Verdict.CANCELLED);

        assertThat(job(parent.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void waitsForAChildThatIsRetriedRescheduledOrPaused() {
        waiting(parent, first, second);
        applied(ended(start(claimOne(first)), Attempt.End.FAILED, new Transition.Retry(at(60), "again")));
        store.execute(pause(second.id()));

        assertThat(job(parent.id()).state()).isEqualTo(JobState.WAITING);
    }

    @Test
    void waitsAgainForADeadChildThatIsRetried() {
        waiting(parent, first, second);
        applied(death(start(claimOne(first))));
        store.execute(new Command.Retry(first.id(), ACTOR, at(5)));
        store.execute(cancel(second.id(), at(6)));
        assertThat(job(parent.id()).state()).isEqualTo(JobState.WAITING);

        applied(completion(start(claimOne(first))));

        assertThat(job(parent.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void ringsWhenAParentCanGoOn() {
        AtomicInteger rung = new AtomicInteger();
        restart(T0, new Bell() {
            @Override
            public void work() {
                rung.incrementAndGet();
            }

            @Override
            public void changed() {}

            @Override
            public void hearing(boolean heard) {}
        });
        waiting(parent, first);
        Fence child = start(claimOne(first));
        int before = rung.get();

        applied(completion(child));

        assertThat(rung.get()).isGreaterThan(before);
    }

    @Test
    void countsChildrenByStateAndListsThemInTheirOrder() {
        List<Draft> children = IntStream.range(0, 5).mapToObj(_ -> Draft.of("parse")).toList();
        waiting(parent, children.toArray(Draft[]::new));
        applied(completion(start(claimOne(first))));
        start(claimOne(first));
        store.execute(pause(children.get(4).id()));

        assertThat(story(parent.id()).children()).isEqualTo(Map.of(JobState.COMPLETED, 1L, JobState.RUNNING,
                1L, JobState.QUEUED, 2L, JobState.PAUSED, 1L));
        assertThat(story(children.getFirst().id()).children()).isEmpty();
        JobQuery firstPage = JobQuery.all().parent(parent.id()).after(0).limit(3);
        List<Job> page = store.list(firstPage);
        List<Job> rest = store.list(firstPage.after(page.getLast().seq()));
        assertThat(ids(page)).containsExactlyElementsOf(children.stream().limit(3).map(Draft::id).toList());
        assertThat(ids(rest)).containsExactlyElementsOf(children.stream().skip(3).map(Draft::id).toList());
    }

    @Test
    void storesAChildOnlyWhileItsParentIsThere() {
        JobId gone = JobId.next();

        assertThat(submit(Draft.of("ok"), first.parent(gone))).isEqualTo(new Receipt.NoParent(gone));
        assertThat(store.list(JobQuery.all())).as("nothing of the submission").isEmpty();
        assertThat(submit(parent, second.parent(parent.id()))).as("a parent may come with its child")
                .isEqualTo(accepted(parent, second));
        assertThat(store.execute(cancel(parent.id(), at(4)))).as("and is its parent").isEqualTo(
                new Ruling.Done(2));
    }

    @Test
    void storesASpawnedChildOnlyWhileTheAttemptHasItsJob() {
        Fence fence = running(parent);
        assertThat(spawn(first, fence)).isEqualTo(accepted(first));
        assertThat(job(first.id()).spec().parent()).contains(parent.id());

        store.execute(cancel(parent.id(), at(3)));
        assertThat(spawn(second, fence)).as("cancelled").isEqualTo(new Receipt.NoParent(parent.id()));
        apply(completion(fence));
        assertThat(spawn(second, fence)).as("over").isEqualTo(new Receipt.NoParent(parent.id()));
        store.execute(new Command.Delete(parent.id(), ACTOR, at(4)));
        assertThat(spawn(second, fence)).as("deleted").isEqualTo(new Receipt.NoParent(parent.id()));
        assertThat(store.find(second.id())).isEmpty();
    }

    private Receipt spawn(Draft child, Fence spawner) {
        return store.insert(List.of(new Submission(List.of(child.parent(parent.id()).job()), spawner)))
                .getFirst();
    }

    @Test
    void retriesADeadParentInThePhaseItDiedIn() {
        waiting(parent, first);
        applied(completion(start(claimOne(first))));
        applied(death(start(claimOne(parent))));
        assertThat(job(parent.id()).phase()).isEqualTo(Phase.AGGREGATE);

        store.execute(new Command.Retry(parent.id(), ACTOR, at(5)));

        assertThat(job(parent.id()).phase()).isEqualTo(Phase.AGGREGATE);
        assertThat(job(parent.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void retriesADeadParentWhoseChildrenAreGoneFromItsBeginning() {
        waiting(parent, first);
        applied(completion(start(claimOne(first))));
        applied(death(start(claimOne(parent))));
        store.execute(new Command.Delete(first.id(), ACTOR, at(5)));

        store.execute(new Command.Retry(parent.id(), ACTOR, at(6)));

        assertThat(job(parent.id()).phase()).isEqualTo(Phase.INGEST);
    }

    @Test
    void keepsWhatAnIngestSavedForTheAggregate() {
        Fence fence = running(parent);
        applied(new Change.Checkpointed(fence, "{\"lines\": 3}", at(1)));
        applied(ingested(fence));

        assertThat(store.saved(job(parent.id()).seq()).checkpoint()).isPresent();
    }
}
