package dev.heddle.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.Care;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.Saved;
import dev.heddle.store.Story;
import dev.heddle.store.Verdict;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What becomes of the jobs that a dead node held. */
abstract class RecoveryContract extends StoreFixture {

    private static final Transition REQUEUE = new Transition.Requeue("node died");

    RecoveryContract(StoreContract door) {
        super(door);
    }

    /** What the plan is asked about; it requeues all of it. */
    private List<Orphan> orphans() {
        List<Orphan> seen = new ArrayList<>();
        store.recover(NEXT_NODE, orphans -> {
            seen.addAll(orphans);
            return all(REQUEUE, true).decide(orphans);
        }, at(60));
        return seen;
    }

    @Test
    void asksThePlanAboutEverythingThatDeadNodesHeldInOrder() {
        JobId running = in(JobState.RUNNING, Draft.of("mail"));
        in(JobState.QUEUED, Draft.of("fax"));
        in(JobState.SCHEDULED, Draft.of("fax"));
        in(JobState.PAUSED, Draft.of("fax"));
        JobId assigned = in(JobState.ASSIGNED, Draft.of("mail").priority(9));
        in(JobState.COMPLETED, Draft.of("mail"));
        in(JobState.FAILED, Draft.of("mail"));
        List<Job> held = List.of(job(running), job(assigned));
        restart(at(50));
        JobId mine = insert(Draft.of("sms"));
        claimAgain(mine, at(50));

        assertThat(orphans()).extracting(Orphan::job).isEqualTo(held);
        assertThat(job(mine).state()).as("the survivor keeps its own").isEqualTo(JobState.ASSIGNED);
    }

    @Test
    void queuesAnOrphanAgainAsASuspect() {
        Draft draft = Draft.of("mail");
        Fence fence = running(draft);
        applied(new Change.Checkpointed(fence, "7", at(1)));
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));

        List<Recovery> recoveries = crash(REQUEUE, true, at(60));

        assertThat(recoveries).extracting(recovery -> recovery.orphan().job().id())
                .containsExactly(draft.id());
        assertThat(recoveries).extracting(Recovery::transition).containsExactly(REQUEUE);
        Story story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.QUEUED);
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 1));
        assertThat(story.job().status()).isEqualTo(Job.Status.NONE);
        assertThat(story.history()).containsExactly(
                new HistoryEntry(JobState.RUNNING, JobState.QUEUED, "node died", NEXT_NODE, at(60)));
        assertThat(story.saved()).isEqualTo(new Saved("7", Map.of("fetch", "1")));
        assertThat(claim(at(61), 9, any("mail")).jobs()).isEmpty();
        assertThat(claim(at(61), 9, suspects("mail")).jobs())
                .extracting(claim -> claim.job().counts().attempt()).containsExactly(2);
    }

    @Test
    void schedulesAnOrphanAsASuspectWithoutCountingAFailure() {
        Draft draft = Draft.of("mail");
        running(draft);

        crash(new Transition.Retry(at(90), "staged"), true, at(60));

        Story story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.SCHEDULED);
        assertThat(story.job().dueAt()).contains(at(90));
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 1));
        assertThat(story.history()).containsExactly(
                new HistoryEntry(JobState.RUNNING, JobState.SCHEDULED, "staged", NEXT_NODE, at(60)));
        assertThat(claim(at(90), 9, any("mail")).jobs()).isEmpty();
        assertThat(ids(claim(at(90), 9, suspects("mail")))).containsExactly(draft.id());
    }

    @Test
    void buriesAnOrphanWithoutCountingAFailure() {
        Draft draft = Draft.of("mail").key("k");
        Fence fence = running(draft);
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));

        crash(new Transition.Die("orphaned"), false, at(60));

        Story story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.FAILED);
        assertThat(story.job().reason()).contains("orphaned");
        assertThat(story.job().endedAt()).contains(at(60));
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(story.history()).containsExactly(
                new HistoryEntry(JobState.RUNNING, JobState.FAILED, "orphaned", NEXT_NODE, at(60)));
        assertThat(story.saved().steps()).containsOnlyKeys("fetch");
        Draft next = Draft.of("mail").key("k");
        assertThat(insert(next)).as("its key is free").isEqualTo(next.id());
    }

    @Test
    void keepsTheFailureThatAnOrphanHadBefore() {
        Draft draft = Draft.of("mail");
        applied(ended(running(draft), Attempt.End.FAILED, new Transition.Retry(at(10), "Retry 1/2")));
        start(claimAgain(draft.id(), at(10)));

        crash(new Transition.Die("orphaned"), true, at(60));

        assertThat(job(draft.id()).failure()).contains(BOOM);
        assertThat(job(draft.id()).counts()).isEqualTo(new Job.Counts(2, 1, 1));
    }

    @Test
    void recordsTheAttemptOfAnOrphanThatHadStarted() {
        Draft started = Draft.of("mail");
        running(started);
        Draft assigned = Draft.of("fax");
        claimed(assigned);

        crash(REQUEUE, false, at(60).plusNanos(999_999));

        assertThat(story(started.id()).attempts()).containsExactly(
                new Attempt(1, NODE, "", T0, at(1), at(60), Attempt.End.CRASHED, null));
        assertThat(story(assigned.id()).attempts()).isEmpty();
        assertThat(story(assigned.id()).history()).extracting(HistoryEntry::from)
                .containsExactly(JobState.ASSIGNED);
    }

    @Test
    void countsACrashWhereThePlanSaysSo() {
        Draft guilty = Draft.of("mail");
        running(guilty);
        Draft innocent = Draft.of("fax");
        running(innocent);
        restart(at(60));

        store.recover(NEXT_NODE, orphans -> orphans.stream()
                .map(orphan -> new Recovery(orphan, REQUEUE, orphan.job().id().equals(guilty.id())))
                .toList(), at(60));

        assertThat(job(guilty.id()).counts().crashes()).isEqualTo(1);
        assertThat(job(innocent.id()).counts().crashes()).isZero();
    }

    @Test
    void followsThePlanForEachOrphan() {
        Draft requeued = Draft.of("mail");
        running(requeued);
        Draft buried = Draft.of("fax");
        running(buried);
        restart(at(60));

        store.recover(NEXT_NODE, orphans -> orphans.stream().map(orphan -> new Recovery(orphan,
                orphan.job().id().equals(buried.id()) ? new Transition.Die("orphaned") : REQUEUE, true))
                .toList().reversed(), at(60));

        assertThat(job(requeued.id()).state()).isEqualTo(JobState.QUEUED);
        assertThat(job(buried.id()).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void tellsThePlanHowEachWasStarted() {
        applied(new Change.Started(claimed(Draft.of("a")), at(1), Care.BLAMED));
        applied(new Change.Started(claimed(Draft.of("b")), at(1), Care.NONE));
        claimed(Draft.of("c"));
        Draft second = Draft.of("d");
        Fence first = claimed(second);
        applied(new Change.Started(first, at(1), Care.BLAMED));
        applied(ended(first, Attempt.End.RELEASED, new Transition.Requeue("closing")));
        claimAgain(second.id(), at(3));
        applied(new Change.Started(claimed(Draft.of("e")), at(1), Care.ONCE));
        restart(at(60));

        assertThat(orphans()).extracting(Orphan::care).as("of the current attempt")
                .containsExactly(Care.BLAMED, Care.NONE, Care.NONE, Care.NONE, Care.ONCE);
    }

    @Test
    void tellsThePlanWhoHasACheckpoint() {
        Fence saved = running(Draft.of("mail"));
        applied(new Change.Checkpointed(saved, "7", at(1)));
        running(Draft.of("fax"));
        restart(at(60));

        assertThat(orphans()).extracting(Orphan::hasCheckpoint).containsExactly(true, false);
    }

    @Test
    void endsTheCancelledJobsOfDeadNodesWithoutAskingThePlan() {
        Draft started = Draft.of("mail").key("k");
        running(started);
        store.execute(cancel(started.id(), at(6)));
        Draft assigned = Draft.of("fax");
        claimed(assigned);
        store.execute(cancel(assigned.id(), at(6)));
        restart(at(60));

        assertThat(orphans()).isEmpty();

        for (Draft draft : List.of(started, assigned)) {
            assertThat(job(draft.id()).state()).isEqualTo(JobState.CANCELLED);
            assertThat(job(draft.id()).reason()).contains("not needed");
            assertThat(job(draft.id()).endedAt()).contains(at(60));
            assertThat(story(draft.id()).history()).as("only the cancel").hasSize(1);
        }
        assertThat(story(started.id()).attempts()).containsExactly(
                new Attempt(1, NODE, "", T0, at(1), at(60), Attempt.End.CRASHED, null));
        assertThat(story(assigned.id()).attempts()).isEmpty();
        Draft next = Draft.of("mail").key("k");
        assertThat(insert(next)).as("its key is free").isEqualTo(next.id());
    }

    @Test
    void forgetsTheDeadNodes() {
        restart(at(60));
        assertThat(store.nodes()).extracting(NodeRecord::id).as("and the dead one, where it could not leave")
                .contains(NEXT_NODE);

        orphans();

        assertThat(store.nodes()).containsExactly(record(NEXT_NODE, at(60), at(60)));
    }

    @Test
    void findsNothingTheSecondTime() {
        Draft draft = Draft.of("mail");
        running(draft);
        assertThat(crash(REQUEUE, true, at(60))).hasSize(1);
        Story before = story(draft.id());

        assertThat(store.recover(NEXT_NODE, all(REQUEUE, true), at(61))).isEmpty();

        assertThat(story(draft.id())).isEqualTo(before);
    }

    @Test
    void losesWhatADeadNodeWritesLate() {
        Draft draft = Draft.of("mail");
        Fence fence = running(draft);
        crash(REQUEUE, true, at(60));
        Story before = story(draft.id());

        assertThat(apply(new Change.Checkpointed(fence, "late", at(61)))).isEqualTo(Verdict.LOST);
        assertThat(apply(completion(fence))).isEqualTo(Verdict.LOST);

        assertThat(story(draft.id())).isEqualTo(before);
    }

    @Test
    void writesNothingWhenThePlanFails() {
        Draft running = Draft.of("mail");
        running(running);
        Draft cancelled = Draft.of("fax");
        running(cancelled);
        store.execute(cancel(cancelled.id(), at(6)));
        restart(at(60));
        List<Story> before = List.of(story(running.id()), story(cancelled.id()));
        List<NodeRecord> nodes = store.nodes();

        assertThatThrownBy(() -> store.recover(NEXT_NODE, _ -> {
            throw new IllegalStateException("no plan");
        }, at(60))).hasStackTraceContaining("no plan");

        assertThat(List.of(story(running.id()), story(cancelled.id()))).isEqualTo(before);
        assertThat(store.nodes()).isEqualTo(nodes);
        assertThat(orphans()).hasSize(1);
    }
}
