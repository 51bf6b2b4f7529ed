package dev.heddle.testkit;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.job.Transition;
import dev.heddle.store.Bell;
import dev.heddle.store.Command;
import dev.heddle.store.Families;
import dev.heddle.store.Fence;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.Renewal;
import dev.heddle.store.Ruling;
import dev.heddle.store.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What the end of a parent does to its children: orphan cleanup and cascade deletion, as {@code TestParentJobHierarchy}
 * and {@code TestTASBotParentJobHierarchy} of the original promise them, and the death of its node.
 */
abstract class FamilyEndContract extends StoreFixture {

    private final Draft parent = Draft.of("import");
    private final Draft queued = Draft.of("queued").parent(parent.id());
    private final Draft scheduled = Draft.of("scheduled").parent(parent.id());
    private final Draft paused = Draft.of("paused").parent(parent.id());
    private final Draft waiting = Draft.of("waiting").parent(parent.id());
    private final Draft grandchild = Draft.of("grandchild");
    private final Draft running = Draft.of("running").parent(parent.id());
    private final Draft completed = Draft.of("completed").parent(parent.id());
    private final Draft failed = Draft.of("failed").parent(parent.id());

    FamilyEndContract(StoreContract door) {
        super(door);
    }

    /** A running parent with a child in every state. */
    private Fence family() {
        Fence fence = running(parent);
        in(JobState.QUEUED, queued);
        in(JobState.SCHEDULED, scheduled);
        in(JobState.PAUSED, paused);
        waiting(waiting, grandchild);
        in(JobState.COMPLETED, completed);
        in(JobState.FAILED, failed);
        return fence;
    }

    private void assertCancelled(String reason, Draft... drafts) {
        for (Draft draft : drafts) {
            Job job = job(draft.id());
            assertThat(job.state()).as(draft.type()).isEqualTo(JobState.CANCELLED);
            assertThat(job.reason()).as(draft.type()).contains(reason);
            assertThat(story(draft.id()).history()).as(draft.type())
                    .extracting(HistoryEntry::to, HistoryEntry::reason)
                    .contains(tuple(JobState.CANCELLED, reason));
        }
    }

    enum End {
        COMPLETED, FAILED, CANCELLED
    }

    @ParameterizedTest
    @EnumSource
    void cancelsWhatIsAtWorkOfAFamilyWhoseParentEnds(End end) {
        Fence fence = family();
        Fence told = running(running);
        JobId stranger = insert(Draft.of("stranger"));

        switch (end) {
            case COMPLETED -> applied(completion(fence));
            case FAILED -> applied(death(fence));
            case CANCELLED -> assertThat(store.execute(cancel(parent.id(), at(5))))
                    .isEqualTo(new Ruling.StillRunning(fence));
        }

        assertCancelled(Families.PARENT_COMPLETED, queued, scheduled, paused, waiting, grandchild, running);
        assertThat(job(completed.id()).state()).isEqualTo(JobState.COMPLETED);
        assertThat(job(failed.id()).state()).isEqualTo(JobState.FAILED);
        assertThat(job(stranger).state()).isEqualTo(JobState.QUEUED);
        assertThat(job(running.id()).endedAt()).as("its attempt runs").isEmpty();
        assertThat(apply(completion(told))).as("its late result is ignored").isEqualTo(Verdict.CANCELLED);
        assertThat(job(running.id()).result()).isEmpty();
        assertThat(claim(at(9), 9, any("queued"), any("waiting"), any("grandchild")).jobs()).isEmpty();
    }

    @Test
    void cancelsAWaitingParentWithItsWholeTree() {
        waiting(parent, queued, waiting);
        Fence child = claim(at(3), 1, any("waiting")).jobs().getFirst().fence();
        applied(ingested(start(child), grandchild.parent(waiting.id())));

        assertThat(store.execute(cancel(parent.id(), at(5)))).isEqualTo(new Ruling.Done(4));

        assertThat(job(parent.id()).reason()).contains("not needed");
        assertCancelled(Families.PARENT_COMPLETED, queued, waiting, grandchild);
        assertThat(store.tally().live()).isEmpty();
    }

    @Test
    void leavesChildrenAloneThatOutliveTheirParent() {
        Fence fence = running(parent);
        insert(queued.outlivesParent());
        insert(paused);

        applied(completion(fence));

        assertThat(job(queued.id()).state()).isEqualTo(JobState.QUEUED);
        assertThat(job(queued.id()).spec().extras().outlivesParent()).isTrue();
        assertThat(job(paused.id()).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void leavesChildrenAloneWhoseParentIsTriedAgain() {
        Fence fence = running(parent);
        insert(queued);

        applied(ended(fence, Attempt.End.FAILED, new Transition.Retry(at(60), "again")));

        assertThat(job(queued.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void deletesAParentAndCancelsItsChildrenButKeepsThoseThatHaveEnded() {
        waiting(parent, queued, completed, running);
        Fence done = claim(at(3), 1, any("completed")).jobs().getFirst().fence();
        applied(completion(start(done)));
        Fence told = start(claim(at(3), 1, any("running")).jobs().getFirst().fence());

        assertThat(store.execute(new Command.Delete(parent.id(), ACTOR, at(5))))
                .isEqualTo(new Ruling.Done(1));

        assertThat(store.find(parent.id())).isEmpty();
        assertCancelled(Families.PARENT_DELETED, queued, running);
        assertThat(job(completed.id()).state()).isEqualTo(JobState.COMPLETED);
        assertThat(apply(completion(told))).isEqualTo(Verdict.CANCELLED);
    }

    @Test
    void tellsWhoRunsAChildThatItWasCancelled() {
        AtomicInteger rung = new AtomicInteger();
        restart(T0, new Bell() {
            @Override
            public void work() {}

            @Override
            public void changed() {
                rung.incrementAndGet();
            }

            @Override
            public void hearing(boolean heard) {}
        });
        Fence fence = running(parent);
        Fence told = running(running);
        int before = rung.get();

        applied(completion(fence));

        assertThat(rung.get()).isGreaterThan(before);
        Renewal renewal = store.renew(record(node, T0, at(6)));
        List<Renewal.Held> held = switch (renewal) {
            case Renewal.Alone(var cancelled, _) -> cancelled;
            case Renewal.Kept(var all, _) -> all;
            case Renewal.Dead() -> throw new AssertionError("it lives");
        };
        assertThat(held).containsExactly(
                new Renewal.Held(told, JobState.CANCELLED, T0, Families.PARENT_COMPLETED));
    }

    @Test
    void countsTheChildrenOfAnOrphanInItsSecondPhaseAndPutsItWhereThePlanSays() {
        waiting(parent, completed);
        applied(completion(start(claim(at(3), 1, any("completed")).jobs().getFirst().fence())));
        start(claimAgain(parent.id(), at(4)));
        restart(at(5));

        List<Recovery> recoveries = store.recover(NEXT_NODE,
                orphans -> orphans.stream().map(orphan -> new Recovery(orphan,
                        new Transition.Requeue("node died"), false, Phase.INGEST)).toList(),
                at(6));

        Orphan orphan = recoveries.getFirst().orphan();
        assertThat(orphan.job().phase()).isEqualTo(Phase.AGGREGATE);
        assertThat(orphan.children()).isEqualTo(1);
        assertThat(job(parent.id()).phase()).isEqualTo(Phase.INGEST);
        assertThat(job(parent.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void keepsThePhaseOfAnOrphanWhereThePlanDoesNotChangeIt() {
        waiting(parent);
        start(claimAgain(parent.id(), at(4)));

        List<Recovery> recoveries = crash(new Transition.Requeue("node died"), false, at(5));

        assertThat(recoveries.getFirst().orphan().children()).isZero();
        assertThat(claim(at(6), 1, suspects("import")).jobs().getFirst().job().phase())
                .isEqualTo(Phase.AGGREGATE);
    }

    @Test
    void wakesAParentWhoseLastChildDiedWithItsNode() {
        waiting(parent, running);
        start(claim(at(3), 1, any("running")).jobs().getFirst().fence());

        crash(new Transition.Die("poison"), true, at(5));

        assertThat(job(running.id()).state()).isEqualTo(JobState.FAILED);
        assertThat(job(parent.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void wakesAParentWhoseLastChildWasCancelledAndLostItsNode() {
        waiting(parent, running);
        start(claim(at(3), 1, any("running")).jobs().getFirst().fence());
        store.execute(cancel(running.id(), at(4)));

        crash(new Transition.Requeue("node died"), false, at(5));

        assertThat(job(parent.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void cancelsTheChildrenOfAParentThatDiedWithItsNode() {
        running(parent);
        insert(queued);

        crash(new Transition.Die("poison"), true, at(5));

        assertCancelled(Families.PARENT_COMPLETED, queued);
    }

    @Test
    void leavesAWaitingParentWaitingWhenItsNodeDies() {
        waiting(parent, queued);

        assertThat(crash(new Transition.Requeue("node died"), false, at(5))).isEmpty();

        assertThat(job(parent.id()).state()).isEqualTo(JobState.WAITING);
        assertThat(job(queued.id()).state()).isEqualTo(JobState.QUEUED);
    }
}
