package dev.heddle.testkit.store;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.job.Transition;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import dev.heddle.store.Fence;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.Renewal;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What happens to the children of a parent that ends, is cancelled or deleted, or dies with its node; and what happens
 * to a parent whose children do.
 */
abstract class FamilyCleanupContract extends StoreFixture {

    private final JobDraft parent = JobDraft.of("import");
    private final JobDraft queued = JobDraft.of("queued").parent(parent.id());
    private final JobDraft scheduled = JobDraft.of("scheduled").parent(parent.id());
    private final JobDraft paused = JobDraft.of("paused").parent(parent.id());
    private final JobDraft waiting = JobDraft.of("waiting").parent(parent.id());
    private final JobDraft grandchild = JobDraft.of("grandchild");
    private final JobDraft running = JobDraft.of("running").parent(parent.id());
    private final JobDraft completed = JobDraft.of("completed").parent(parent.id());
    private final JobDraft failed = JobDraft.of("failed").parent(parent.id());

    FamilyCleanupContract(StoreContract contract) {
        super(contract);
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

    private void assertCancelled(String reason, JobDraft... drafts) {
        for (JobDraft draft : drafts) {
            Job job = job(draft.id());
            assertThat(job.state()).as(draft.type()).isEqualTo(JobState.CANCELLED);
            assertThat(job.reason()).as(draft.type()).contains(reason);
            assertThat(story(draft.id()).history()).as(draft.type()).extracting(HistoryEntry::to, HistoryEntry::reason)
                    .contains(tuple(JobState.CANCELLED, reason));
        }
    }

    enum End {
        COMPLETED, FAILED, CANCELLED
    }

    @ParameterizedTest
    @EnumSource
    void cancelsUnfinishedChildrenWhenTheirParentEnds(End end) {
        Fence fence = family();
        Fence child = running(running);
        JobId stranger = insert(JobDraft.of("stranger"));

        switch (end) {
            case COMPLETED -> applied(completion(fence));
            case FAILED -> applied(death(fence));
            case CANCELLED ->
                assertThat(store.execute(cancel(parent.id(), at(5)))).isEqualTo(new CommandResult.StillRunning(fence));
        }

        assertCancelled("parent job " + end.name().toLowerCase(Locale.ROOT), queued, scheduled, paused, waiting,
                running);
        assertCancelled("parent job cancelled", grandchild);
        assertThat(job(completed.id()).state()).isEqualTo(JobState.COMPLETED);
        assertThat(job(failed.id()).state()).isEqualTo(JobState.FAILED);
        assertThat(job(stranger).state()).isEqualTo(JobState.QUEUED);
        assertThat(job(running.id()).endedAt()).as("its attempt still runs").isEmpty();
        assertThat(apply(completion(child))).as("its late result is ignored").isEqualTo(Verdict.CANCELLED);
        assertThat(job(running.id()).result()).isEmpty();
        assertThat(claim(at(9), 9, any("queued"), any("waiting"), any("grandchild")).claims()).isEmpty();
    }

    @Test
    void cancelsAWaitingParentAndAllDescendants() {
        waiting(parent, queued, waiting);
        Fence child = claim(at(3), 1, any("waiting")).claims().getFirst().fence();
        applied(ingested(start(child), grandchild.parent(waiting.id())));

        assertThat(store.execute(cancel(parent.id(), at(5)))).isEqualTo(new CommandResult.Done(4));

        assertThat(job(parent.id()).reason()).contains("not needed");
        assertCancelled("parent job cancelled", queued, waiting, grandchild);
        assertThat(store.countJobs().live()).isEmpty();
    }

    @Test
    void keepsChildrenThatOutliveTheirParent() {
        Fence fence = running(parent);
        insert(queued.outlivesParent());
        insert(paused);

        applied(completion(fence));

        assertThat(job(queued.id()).state()).isEqualTo(JobState.QUEUED);
        assertThat(job(queued.id()).spec().extras().outlivesParent()).isTrue();
        assertThat(job(paused.id()).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void keepsChildrenWhoseParentIsRetried() {
        Fence fence = running(parent);
        insert(queued);

        applied(ended(fence, Attempt.End.FAILED, retry(at(60), "again")));

        assertThat(job(queued.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void cancelsUnfinishedChildrenOfADeletedParentAndKeepsEndedOnes() {
        waiting(parent, queued, completed, running);
        Fence done = claim(at(3), 1, any("completed")).claims().getFirst().fence();
        applied(completion(start(done)));
        Fence child = start(claim(at(3), 1, any("running")).claims().getFirst().fence());

        assertThat(store.execute(new AdminCommand.Delete(parent.id(), ACTOR, at(5))))
                .isEqualTo(new CommandResult.Done(1));

        assertThat(store.find(parent.id())).isEmpty();
        assertCancelled("parent job deleted", queued, running);
        assertThat(job(completed.id()).state()).isEqualTo(JobState.COMPLETED);
        assertThat(apply(completion(child))).isEqualTo(Verdict.CANCELLED);
    }

    @Test
    void notifiesTheNodeThatRunsACancelledChild() {
        AtomicInteger notifications = new AtomicInteger();
        restart(T0, new StoreListener() {
            @Override
            public void workAvailable() {}

            @Override
            public void jobsChanged() {
                notifications.incrementAndGet();
            }

            @Override
            public void notificationsReliable(boolean heard) {}

            @Override
            public void clockJumped(Duration jump, int moved) {}
        });
        Fence fence = running(parent);
        Fence child = running(running);
        int before = notifications.get();

        applied(completion(fence));

        assertThat(notifications.get()).isGreaterThan(before);
        Renewal renewal = store.renew(record(node, T0, at(6)));
        List<Renewal.HeldAttempt> held = switch (renewal) {
            case Renewal.SingleNode(var cancelled, _) -> cancelled;
            case Renewal.Renewed(var all, _) -> all;
            case Renewal.Dead() -> throw new AssertionError("it lives");
        };
        assertThat(held)
                .containsExactly(new Renewal.HeldAttempt(child, JobState.CANCELLED, T0, "parent job completed"));
    }

    @Test
    void countsTheChildrenOfAnOrphanAndAppliesThePlannedPhase() {
        waiting(parent, completed);
        applied(completion(start(claim(at(3), 1, any("completed")).claims().getFirst().fence())));
        start(claimAgain(parent.id(), at(4)));
        restart(at(5));

        List<Recovery> recoveries = store.recover(NEXT_NODE, orphans -> orphans.stream()
                .map(orphan -> new Recovery(orphan, new Transition.Requeue("node died"), false, Phase.INGEST,
                        orphan.suspicion()))
                .toList(),
                at(6));

        Orphan orphan = recoveries.getFirst().orphan();
        assertThat(orphan.job().phase()).isEqualTo(Phase.AGGREGATE);
        assertThat(orphan.children()).isEqualTo(1);
        assertThat(job(parent.id()).phase()).isEqualTo(Phase.INGEST);
        assertThat(job(parent.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void keepsThePhaseOfAnOrphanUnlessThePlanChangesIt() {
        waiting(parent);
        start(claimAgain(parent.id(), at(4)));

        List<Recovery> recoveries = crash(new Transition.Requeue("node died"), false, at(5));

        assertThat(recoveries.getFirst().orphan().children()).isZero();
        assertThat(claim(at(6), 1, suspects("import")).claims().getFirst().job().phase()).isEqualTo(Phase.AGGREGATE);
    }

    @Test
    void wakesAParentWhenItsLastChildDiesWithItsNode() {
        waiting(parent, running);
        start(claim(at(3), 1, any("running")).claims().getFirst().fence());

        crash(new Transition.Fail("poison"), true, at(5));

        assertThat(job(running.id()).state()).isEqualTo(JobState.FAILED);
        assertThat(job(parent.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void wakesAParentWhenItsLastCancelledChildLosesItsNode() {
        waiting(parent, running);
        start(claim(at(3), 1, any("running")).claims().getFirst().fence());
        store.execute(cancel(running.id(), at(4)));

        crash(new Transition.Requeue("node died"), false, at(5));

        assertThat(job(parent.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void cancelsTheChildrenOfAParentThatDiesWithItsNode() {
        running(parent);
        insert(queued);

        crash(new Transition.Fail("poison"), true, at(5));

        assertCancelled("parent job failed", queued);
    }

    @Test
    void keepsAWaitingParentWaitingWhenItsNodeDies() {
        waiting(parent, queued);

        assertThat(crash(new Transition.Requeue("node died"), false, at(5))).isEmpty();

        assertThat(job(parent.id()).state()).isEqualTo(JobState.WAITING);
        assertThat(job(queued.id()).state()).isEqualTo(JobState.QUEUED);
    }
}
