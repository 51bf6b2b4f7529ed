package dev.heddle.testkit.store;

import java.util.List;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.JobState;
import dev.heddle.job.Progress;
import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.JobDetails;
import dev.heddle.store.SavedState;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Writes that the store rejects because the attempt lost its job, was cancelled, or repeats itself. */
abstract class FenceContract extends StoreFixture {

    FenceContract(StoreContract contract) {
        super(contract);
    }

    private static List<Change> unfinished(Fence fence) {
        return List.of(new Change.Started(fence, at(1), StartGuarantee.COMMITTED_FIRST),
                new Change.Progressed(fence, new Progress(1, 2, "half")), new Change.Checkpointed(fence, "7", at(1)),
                new Change.StepDone(fence, "fetch", "1", at(1)));
    }

    /** Applies one change of each kind; the last two would end the attempt. */
    private void assertAllLost(Fence fence) {
        assertThat(store.apply(unfinished(fence))).hasSize(4).containsOnly(Verdict.LOST);
        assertThat(apply(new Change.Released(fence, "closing", at(2)))).isEqualTo(Verdict.LOST);
        assertThat(apply(completion(fence))).isEqualTo(Verdict.LOST);
    }

    @Test
    void rejectsWritesUnderAnotherFence() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        JobDetails before = story(draft.id());

        assertAllLost(new Fence(fence.seq(), fence.attempt() + 1, NODE));
        assertAllLost(new Fence(fence.seq(), fence.attempt() - 1, NODE));
        assertAllLost(new Fence(fence.seq(), fence.attempt(), NEXT_NODE));
        assertAllLost(new Fence(fence.seq() + 1, fence.attempt(), NODE));

        assertThat(story(draft.id())).isEqualTo(before);
    }

    @Test
    void rejectsWritesAfterAClaimIsReleased() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = claimed(draft);
        applied(new Change.Released(fence, "closing", at(1)));
        JobDetails before = story(draft.id());

        assertAllLost(fence);

        assertThat(story(draft.id())).isEqualTo(before);
    }

    @Test
    void rejectsWritesOfAReplacedAttempt() {
        JobDraft draft = JobDraft.of("mail");
        Fence first = claimed(draft);
        applied(new Change.Released(first, "closing", at(1)));
        start(claimAgain(draft.id(), at(2)));
        JobDetails before = story(draft.id());

        assertAllLost(first);

        assertThat(story(draft.id())).isEqualTo(before);
    }

    @Test
    void rejectsWritesAfterTheAttemptHasEnded() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        applied(death(fence));
        JobDetails before = story(draft.id());

        assertAllLost(fence);

        assertThat(story(draft.id())).isEqualTo(before);
    }

    @Test
    void recognizesARepeatedEnd() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        applied(completion(fence));
        JobDetails before = story(draft.id());

        assertThat(apply(completion(fence))).isEqualTo(Verdict.REPEATED);
        assertThat(apply(death(fence))).as("a different end is no repetition").isEqualTo(Verdict.LOST);
        assertThat(apply(completion(new Fence(fence.seq(), fence.attempt(), NEXT_NODE))))
                .as("another node's end is no repetition").isEqualTo(Verdict.LOST);

        assertThat(story(draft.id())).isEqualTo(before);
    }

    @Test
    void recognizesARepeatedEndWhileTheNextAttemptRuns() {
        JobDraft draft = JobDraft.of("mail");
        Fence first = running(draft);
        Change failed = ended(first, Attempt.End.FAILED, retry(at(10), "Retry 1/2"));
        applied(failed);
        start(claimAgain(draft.id(), at(10)));
        JobDetails before = story(draft.id());

        assertThat(apply(failed)).isEqualTo(Verdict.REPEATED);

        assertThat(story(draft.id())).isEqualTo(before);
    }

    @Test
    void judgesEachChangeOfABatchSeparately() {
        Fence mine = running(JobDraft.of("mail"));
        Fence lost = new Fence(mine.seq(), 9, NODE);
        JobDraft cancelled = JobDraft.of("fax");
        Fence cancelledFence = running(cancelled);
        store.execute(cancel(cancelled.id(), at(2)));

        assertThat(store.apply(List.of(new Change.Checkpointed(lost, "0", at(2)), completion(cancelledFence),
                completion(mine), completion(mine), new Change.Checkpointed(mine, "1", at(3)))))
                .containsExactly(Verdict.LOST, Verdict.CANCELLED, Verdict.APPLIED, Verdict.REPEATED, Verdict.LOST);
    }

    @Test
    void reportsACancellationToTheAttemptAndWritesNothing() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = claimed(draft);
        store.execute(cancel(draft.id(), at(2)));
        JobDetails before = story(draft.id());

        assertThat(store.apply(unfinished(fence))).hasSize(4).containsOnly(Verdict.CANCELLED);

        assertThat(story(draft.id())).isEqualTo(before);
        assertThat(store.saved(fence.seq())).isEqualTo(SavedState.EMPTY);
    }

    @Test
    void recordsTheAttemptOfACancelledJobAndDiscardsItsOutcome() {
        JobDraft draft = JobDraft.of("mail").key("k");
        Fence fence = running(draft);
        store.execute(cancel(draft.id(), at(2)));

        assertThat(apply(ended(fence, Attempt.End.COMPLETED, new Transition.Complete("42"), at(3))))
                .isEqualTo(Verdict.CANCELLED);

        JobDetails story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.CANCELLED);
        assertThat(story.job().reason()).contains("not needed");
        assertThat(story.job().result()).isEmpty();
        assertThat(story.job().endedAt()).contains(at(3));
        assertThat(story.attempts())
                .containsExactly(new Attempt(1, NODE, WORKER, T0, at(1), at(3), Attempt.End.CANCELLED, null));
        assertThat(story.history())
                .containsExactly(new HistoryEntry(JobState.RUNNING, JobState.CANCELLED, "not needed", ACTOR, at(2)));
        JobDraft next = JobDraft.of("mail").key("k");
        assertThat(insert(next)).as("its dedupe key is free").isEqualTo(next.id());
    }

    @Test
    void keepsTheFailureOfACancelledAttempt() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        store.execute(cancel(draft.id(), at(2)));

        assertThat(apply(ended(fence, Attempt.End.FAILED, retry(at(9), "Retry 1/2"), at(3))))
                .isEqualTo(Verdict.CANCELLED);

        assertThat(job(draft.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(job(draft.id()).counts().failures()).isZero();
        assertThat(story(draft.id()).attempts())
                .containsExactly(new Attempt(1, NODE, WORKER, T0, at(1), at(3), Attempt.End.CANCELLED, BOOM));
    }

    @Test
    void recognizesTheRepeatedEndOfACancelledAttempt() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        store.execute(cancel(draft.id(), at(2)));
        Change end = ended(fence, Attempt.End.CANCELLED, new Transition.Cancel("told to stop"));

        assertThat(apply(end)).isEqualTo(Verdict.CANCELLED);
        assertThat(apply(end)).isEqualTo(Verdict.REPEATED);
        assertThat(story(draft.id()).attempts()).hasSize(1);
        assertThat(job(draft.id()).reason()).contains("not needed");
    }

    @Test
    void endsACancelledJobWhenItsClaimIsReleased() {
        JobDraft draft = JobDraft.of("mail").key("k");
        Fence fence = claimed(draft);
        store.execute(cancel(draft.id(), at(2)));

        assertThat(apply(new Change.Released(fence, "closing", at(3)))).isEqualTo(Verdict.CANCELLED);

        JobDetails story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.CANCELLED);
        assertThat(story.job().reason()).contains("not needed");
        assertThat(story.job().endedAt()).contains(at(3));
        assertThat(story.attempts()).isEmpty();
        JobDraft next = JobDraft.of("mail").key("k");
        assertThat(insert(next)).as("its dedupe key is free").isEqualTo(next.id());
        assertThat(ids(claim(at(4), 9, any("mail")))).containsExactly(next.id());
    }

    @Test
    void reportsACancellationOnlyToTheCancelledAttempt() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        store.execute(cancel(draft.id(), at(2)));
        JobDetails before = story(draft.id());

        assertAllLost(new Fence(fence.seq(), fence.attempt(), NEXT_NODE));
        assertAllLost(new Fence(fence.seq(), fence.attempt() + 1, NODE));

        assertThat(story(draft.id())).isEqualTo(before);
    }
}
