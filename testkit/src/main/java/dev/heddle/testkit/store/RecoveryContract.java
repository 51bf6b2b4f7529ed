package dev.heddle.testkit.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobStatus;
import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.JobDetails;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.SavedState;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Recovery of the jobs that dead nodes held. */
abstract class RecoveryContract extends StoreFixture {

    private static final Transition REQUEUE = new Transition.Requeue("node died");

    RecoveryContract(StoreContract contract) {
        super(contract);
    }

    /** Recovers with a plan that requeues every orphan, and returns the orphans that the plan was asked about. */
    private List<Orphan> orphans() {
        List<Orphan> seen = new ArrayList<>();
        store.recover(NEXT_NODE, orphans -> {
            seen.addAll(orphans);
            return all(REQUEUE, true).decide(orphans);
        }, at(60));
        return seen;
    }

    @Test
    void asksThePlanAboutAllOrphansInOrder() {
        JobId running = in(JobState.RUNNING, JobDraft.of("mail"));
        in(JobState.QUEUED, JobDraft.of("fax"));
        in(JobState.SCHEDULED, JobDraft.of("fax"));
        in(JobState.PAUSED, JobDraft.of("fax"));
        JobId assigned = in(JobState.ASSIGNED, JobDraft.of("mail").priority(9));
        in(JobState.COMPLETED, JobDraft.of("mail"));
        in(JobState.FAILED, JobDraft.of("mail"));
        List<Job> held = List.of(job(running), job(assigned));
        restart(at(50));
        JobId mine = insert(JobDraft.of("sms"));
        claimAgain(mine, at(50));

        assertThat(orphans()).extracting(Orphan::job).isEqualTo(held);
        assertThat(job(mine).state()).as("the surviving node keeps its job").isEqualTo(JobState.ASSIGNED);
    }

    @Test
    void changesNothingIfThePlanFailsWithAnError() {
        JobId orphan = in(JobState.RUNNING, JobDraft.of("mail"));
        Job before = job(orphan);
        restart(at(50));

        assertThatThrownBy(() -> store.recover(NEXT_NODE, _ -> {
            throw new StackOverflowError("deep");
        }, at(60))).isInstanceOf(StackOverflowError.class);

        assertThat(job(orphan)).isEqualTo(before);
        assertThat(orphans()).extracting(Orphan::job).containsExactly(before);
    }

    @Test
    void requeuesAnOrphanAsASuspect() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        applied(new Change.Checkpointed(fence, "7", at(1)));
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));

        List<Recovery> recoveries = crash(REQUEUE, true, at(60));

        assertThat(recoveries).extracting(recovery -> recovery.orphan().job().id()).containsExactly(draft.id());
        assertThat(recoveries).extracting(Recovery::transition).containsExactly(REQUEUE);
        JobDetails story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.QUEUED);
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 1));
        assertThat(story.job().status()).isEqualTo(new JobStatus.Queued());
        assertThat(story.history())
                .containsExactly(new HistoryEntry(JobState.RUNNING, JobState.QUEUED, "node died", NEXT_NODE, at(60)));
        assertThat(story.saved()).isEqualTo(new SavedState("7", Map.of("fetch", "1"), at(1)));
        assertThat(claim(at(61), 9, any("mail")).claims()).isEmpty();
        assertThat(claim(at(61), 9, suspects("mail")).claims()).extracting(claim -> claim.job().counts().attempt())
                .containsExactly(2);
    }

    @Test
    void schedulesAnOrphanAsASuspectWithoutCountingAFailure() {
        JobDraft draft = JobDraft.of("mail");
        running(draft);

        crash(retry(at(90), "staged"), true, at(60));

        JobDetails story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.SCHEDULED);
        assertThat(story.job().dueAt()).contains(at(90));
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 1));
        assertThat(story.history())
                .containsExactly(new HistoryEntry(JobState.RUNNING, JobState.SCHEDULED, "staged", NEXT_NODE, at(60)));
        assertThat(claim(at(90), 9, any("mail")).claims()).isEmpty();
        assertThat(ids(claim(at(90), 9, suspects("mail")))).containsExactly(draft.id());
    }

    @Test
    void deadLettersAnOrphanWithoutCountingAFailure() {
        JobDraft draft = JobDraft.of("mail").key("k");
        Fence fence = running(draft);
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));

        crash(new Transition.Fail("orphaned"), false, at(60));

        JobDetails story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.FAILED);
        assertThat(story.job().reason()).contains("orphaned");
        assertThat(story.job().endedAt()).contains(at(60));
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(story.history())
                .containsExactly(new HistoryEntry(JobState.RUNNING, JobState.FAILED, "orphaned", NEXT_NODE, at(60)));
        assertThat(story.saved().steps()).containsOnlyKeys("fetch");
        JobDraft next = JobDraft.of("mail").key("k");
        assertThat(insert(next)).as("its dedupe key is free").isEqualTo(next.id());
    }

    @Test
    void keepsTheEarlierFailureOfAnOrphan() {
        JobDraft draft = JobDraft.of("mail");
        applied(ended(running(draft), Attempt.End.FAILED, retry(at(10), "Retry 1/2")));
        start(claimAgain(draft.id(), at(10)));

        crash(new Transition.Fail("orphaned"), true, at(60));

        assertThat(job(draft.id()).failure()).contains(BOOM);
        assertThat(job(draft.id()).counts()).isEqualTo(new Job.Counts(2, 1, 1));
    }

    @Test
    void recordsACrashedAttemptOnlyIfItHadStarted() {
        JobDraft started = JobDraft.of("mail");
        running(started);
        JobDraft assigned = JobDraft.of("fax");
        claimed(assigned);

        crash(REQUEUE, false, at(60).plusNanos(999_999));

        assertThat(story(started.id()).attempts())
                .containsExactly(new Attempt(1, NODE, "", T0, at(1), at(60), Attempt.End.NODE_DIED, null));
        assertThat(story(assigned.id()).attempts()).isEmpty();
        assertThat(story(assigned.id()).history()).extracting(HistoryEntry::from).containsExactly(JobState.ASSIGNED);
    }

    @Test
    void countsACrashOnlyIfThePlanSaysSo() {
        JobDraft guilty = JobDraft.of("mail");
        running(guilty);
        JobDraft innocent = JobDraft.of("fax");
        running(innocent);
        restart(at(60));

        store.recover(NEXT_NODE,
                orphans -> orphans.stream()
                        .map(orphan -> new Recovery(orphan, REQUEUE, orphan.job().id().equals(guilty.id()))).toList(),
                at(60));

        assertThat(job(guilty.id()).counts().crashes()).isEqualTo(1);
        assertThat(story(guilty.id()).attempts()).extracting(Attempt::end).containsExactly(Attempt.End.CRASHED);
        assertThat(job(innocent.id()).counts().crashes()).isZero();
        assertThat(story(innocent.id()).attempts()).extracting(Attempt::end).containsExactly(Attempt.End.NODE_DIED);
    }

    @Test
    void appliesThePlanToEachOrphan() {
        JobDraft requeued = JobDraft.of("mail");
        running(requeued);
        JobDraft dead = JobDraft.of("fax");
        running(dead);
        restart(at(60));

        store.recover(NEXT_NODE,
                orphans -> orphans.stream()
                        .map(orphan -> new Recovery(orphan,
                                orphan.job().id().equals(dead.id()) ? new Transition.Fail("orphaned") : REQUEUE, true))
                        .toList().reversed(),
                at(60));

        assertThat(job(requeued.id()).state()).isEqualTo(JobState.QUEUED);
        assertThat(job(dead.id()).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void tellsThePlanTheStartGuaranteeOfEachOrphan() {
        applied(new Change.Started(claimed(JobDraft.of("a")), at(1), StartGuarantee.COMMITTED_FIRST));
        applied(new Change.Started(claimed(JobDraft.of("b")), at(1), StartGuarantee.NONE));
        claimed(JobDraft.of("c"));
        JobDraft second = JobDraft.of("d");
        Fence first = claimed(second);
        applied(new Change.Started(first, at(1), StartGuarantee.COMMITTED_FIRST));
        applied(ended(first, Attempt.End.RELEASED, new Transition.Requeue("closing")));
        claimAgain(second.id(), at(3));
        applied(new Change.Started(claimed(JobDraft.of("e")), at(1), StartGuarantee.AT_MOST_ONCE));
        restart(at(60));

        assertThat(orphans()).extracting(Orphan::guarantee).as("of the current attempt").containsExactly(
                StartGuarantee.COMMITTED_FIRST, StartGuarantee.NONE, StartGuarantee.NONE, StartGuarantee.NONE,
                StartGuarantee.AT_MOST_ONCE);
    }

    @Test
    void tellsThePlanWhichOrphansHaveACheckpoint() {
        Fence saved = running(JobDraft.of("mail"));
        applied(new Change.Checkpointed(saved, "7", at(1)));
        running(JobDraft.of("fax"));
        restart(at(60));

        assertThat(orphans()).extracting(Orphan::hasCheckpoint).containsExactly(true, false);
    }

    @Test
    void endsTheCancelledJobsOfDeadNodesWithoutAskingThePlan() {
        JobDraft started = JobDraft.of("mail").key("k");
        running(started);
        store.execute(cancel(started.id(), at(6)));
        JobDraft assigned = JobDraft.of("fax");
        claimed(assigned);
        store.execute(cancel(assigned.id(), at(6)));
        restart(at(60));

        assertThat(orphans()).isEmpty();

        for (JobDraft draft : List.of(started, assigned)) {
            assertThat(job(draft.id()).state()).isEqualTo(JobState.CANCELLED);
            assertThat(job(draft.id()).reason()).contains("not needed");
            assertThat(job(draft.id()).endedAt()).contains(at(60));
            assertThat(story(draft.id()).history()).as("only the cancellation").hasSize(1);
        }
        assertThat(story(started.id()).attempts())
                .containsExactly(new Attempt(1, NODE, "", T0, at(1), at(60), Attempt.End.NODE_DIED, null));
        assertThat(story(assigned.id()).attempts()).isEmpty();
        JobDraft next = JobDraft.of("mail").key("k");
        assertThat(insert(next)).as("its dedupe key is free").isEqualTo(next.id());
    }

    @Test
    void removesDeadNodes() {
        restart(at(60));
        assertThat(store.nodes()).extracting(NodeRecord::id).as("also lists the dead node if it could not leave")
                .contains(NEXT_NODE);

        orphans();

        assertThat(store.nodes()).containsExactly(record(NEXT_NODE, at(60), at(60)));
    }

    @Test
    void recoversEachOrphanOnlyOnce() {
        JobDraft draft = JobDraft.of("mail");
        running(draft);
        assertThat(crash(REQUEUE, true, at(60))).hasSize(1);
        JobDetails before = story(draft.id());

        assertThat(store.recover(NEXT_NODE, all(REQUEUE, true), at(61))).isEmpty();

        assertThat(story(draft.id())).isEqualTo(before);
    }

    @Test
    void rejectsLateWritesOfADeadNode() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        crash(REQUEUE, true, at(60));
        JobDetails before = story(draft.id());

        assertThat(apply(new Change.Checkpointed(fence, "late", at(61)))).isEqualTo(Verdict.LOST);
        assertThat(apply(completion(fence))).isEqualTo(Verdict.LOST);

        assertThat(story(draft.id())).isEqualTo(before);
    }

    @Test
    void writesNothingIfThePlanThrows() {
        JobDraft running = JobDraft.of("mail");
        running(running);
        JobDraft cancelled = JobDraft.of("fax");
        running(cancelled);
        store.execute(cancel(cancelled.id(), at(6)));
        restart(at(60));
        List<JobDetails> before = List.of(story(running.id()), story(cancelled.id()));
        List<NodeRecord> nodes = store.nodes();

        assertThatThrownBy(() -> store.recover(NEXT_NODE, _ -> {
            throw new IllegalStateException("no plan");
        }, at(60))).hasStackTraceContaining("no plan");

        assertThat(List.of(story(running.id()), story(cancelled.id()))).isEqualTo(before);
        assertThat(store.nodes()).isEqualTo(nodes);
        assertThat(orphans()).hasSize(1);
    }
}
