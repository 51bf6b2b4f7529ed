package dev.heddle.testkit.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.JobStatus;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Writes of an attempt that owns its job, and how each kind of end changes the job. */
abstract class AttemptContract extends StoreFixture {

    AttemptContract(StoreContract contract) {
        super(contract);
    }

    @Test
    void marksAJobAsRunningWhenItsHandlerStarts() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = claimed(draft);

        applied(new Change.Started(fence, at(1).plusNanos(999_999), StartGuarantee.COMMITTED_FIRST));

        assertThat(job(draft.id()).state()).isEqualTo(JobState.RUNNING);
        assertThat(job(draft.id()).status()).isEqualTo(new JobStatus.Running(NODE, T0, at(1), null));
        assertThat(story(draft.id()).history()).as("a normal start adds no history").isEmpty();
    }

    @Test
    void showsTheLatestProgress() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);

        applied(new Change.Progressed(fence, new Progress(1, 3, "one")));
        applied(new Change.Progressed(fence, new Progress(2, 0, "")));

        assertThat(job(draft.id()).progress()).contains(new Progress(2, 0, ""));
        assertThat(job(draft.id()).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void keepsTheLatestCheckpointAndEveryStep() {
        Fence fence = running(JobDraft.of("mail"));
        assertThat(store.saved(fence.seq())).isEqualTo(SavedState.EMPTY);

        applied(new Change.Checkpointed(fence, "{\"page\": 1}", at(1)));
        applied(new Change.Checkpointed(fence, "{\"page\": 2}", at(2)));
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));
        applied(new Change.StepDone(fence, "send", "2", at(2)));
        applied(new Change.StepDone(fence, "fetch", "3", at(3)));

        assertThat(store.saved(fence.seq()))
                .isEqualTo(new SavedState("{\"page\": 2}", Map.of("fetch", "3", "send", "2"), at(2)));
    }

    @Test
    void passesSavedStateToTheNextAttemptOfTheSameJob() {
        JobDraft draft = JobDraft.of("mail");
        Fence first = running(draft);
        Fence other = running(JobDraft.of("fax"));
        applied(new Change.Checkpointed(first, "7", at(1)));
        applied(new Change.StepDone(first, "fetch", "1", at(1)));
        applied(ended(first, Attempt.End.FAILED, retry(at(10), "Retry 1/2")));
        Fence second = start(claimAgain(draft.id(), at(10)));

        applied(new Change.StepDone(second, "send", "2", at(11)));

        assertThat(store.saved(second.seq())).isEqualTo(new SavedState("7", Map.of("fetch", "1", "send", "2"), at(11)));
        assertThat(story(draft.id()).saved()).isEqualTo(store.saved(second.seq()));
        assertThat(store.saved(other.seq())).isEqualTo(SavedState.EMPTY);
    }

    @Test
    void requeuesAReleasedClaimWithoutCountingAFailure() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = claimed(draft);

        applied(new Change.Released(fence, "closing", at(4)));

        JobDetails story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.QUEUED);
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(story.job().status()).isEqualTo(new JobStatus.Queued());
        assertThat(story.attempts()).isEmpty();
        assertThat(story.history())
                .containsExactly(new HistoryEntry(JobState.ASSIGNED, JobState.QUEUED, "closing", NODE, at(4)));
        assertThat(claimAgain(draft.id(), at(5)).attempt()).as("attempt numbers are never reused").isEqualTo(2);
    }

    @Test
    void completesAJob() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        applied(new Change.Progressed(fence, new Progress(1, 2, "half")));
        applied(new Change.Checkpointed(fence, "7", at(1)));
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));

        applied(completion(fence));

        JobDetails story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.COMPLETED);
        assertThat(story.job().status().node()).as("no node holds it").isNull();
        assertThat(story.job().result()).contains("42");
        assertThat(story.job().endedAt()).contains(at(2));
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(story.job().reason()).isEmpty();
        assertThat(story.attempts())
                .containsExactly(new Attempt(1, NODE, WORKER, T0, at(1), at(2), Attempt.End.COMPLETED, null));
        assertThat(story.history()).isEmpty();
        assertThat(story.saved()).isEqualTo(SavedState.EMPTY);
        assertThat(store.saved(fence.seq())).isEqualTo(SavedState.EMPTY);
    }

    @Test
    void completesAJobWithoutAResult() {
        JobDraft draft = JobDraft.of("mail");

        applied(ended(running(draft), Attempt.End.COMPLETED, new Transition.Complete(null)));

        assertThat(job(draft.id()).state()).isEqualTo(JobState.COMPLETED);
        assertThat(job(draft.id()).result()).isEmpty();
    }

    @Test
    void endsAnAttemptWhoseStartWasNeverWritten() {
        JobDraft draft = JobDraft.of("mail");

        applied(completion(claimed(draft)));

        assertThat(job(draft.id()).state()).isEqualTo(JobState.COMPLETED);
        assertThat(story(draft.id()).attempts()).extracting(Attempt::startedAt).containsExactly(at(1));
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILED", "TIMED_OUT"})
    void schedulesARetryAndCountsTheFailure(Attempt.End end) {
        JobDraft draft = JobDraft.of("mail").key("k");
        Fence fence = running(draft);
        applied(new Change.Checkpointed(fence, "7", at(1)));

        applied(ended(fence, end, retry(at(10).plusNanos(999_999), "Retry 1/2: boom")));

        JobDetails story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.SCHEDULED);
        assertThat(story.job().status().node()).as("no node holds it").isNull();
        assertThat(story.job().dueAt()).contains(at(10));
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 1, 0));
        assertThat(story.job().failure()).contains(BOOM);
        assertThat(story.job().reason()).isEmpty();
        assertThat(story.job().endedAt()).isEmpty();
        assertThat(story.attempts()).containsExactly(new Attempt(1, NODE, WORKER, T0, at(1), at(2), end, BOOM));
        assertThat(story.history()).containsExactly(
                new HistoryEntry(JobState.RUNNING, JobState.SCHEDULED, "Retry 1/2: boom", NODE, at(2)));
        assertThat(story.saved().checkpoint()).contains("7");
        assertThat(insert(JobDraft.of("mail").key("k"))).as("keeps its dedupe key").isEqualTo(draft.id());
    }

    @Test
    void deadLettersAJobAndKeepsItsSavedState() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        applied(new Change.Checkpointed(fence, "7", at(1)));
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));

        applied(death(fence));

        JobDetails story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.FAILED);
        assertThat(story.job().status().node()).as("no node holds it").isNull();
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 1, 0));
        assertThat(story.job().reason()).contains("no retries left");
        assertThat(story.job().failure()).contains(BOOM);
        assertThat(story.job().endedAt()).contains(at(2));
        assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.FAILED);
        assertThat(story.history())
                .containsExactly(new HistoryEntry(JobState.RUNNING, JobState.FAILED, "no retries left", NODE, at(2)));
        assertThat(story.saved()).isEqualTo(new SavedState("7", Map.of("fetch", "1"), at(1)));
    }

    @Test
    void cancelsAJobFromWithinItsAttempt() {
        JobDraft draft = JobDraft.of("mail");

        applied(ended(running(draft), Attempt.End.CANCELLED, new Transition.Cancel("gave up")));

        JobDetails story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.CANCELLED);
        assertThat(story.job().reason()).contains("gave up");
        assertThat(story.job().endedAt()).contains(at(2));
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.CANCELLED);
        assertThat(story.history())
                .containsExactly(new HistoryEntry(JobState.RUNNING, JobState.CANCELLED, "gave up", NODE, at(2)));
    }

    @Test
    void requeuesAnInterruptedAttemptWithoutCountingAFailure() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        applied(new Change.Checkpointed(fence, "7", at(1)));

        applied(ended(fence, Attempt.End.RELEASED, new Transition.Requeue("closing")));

        JobDetails story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.QUEUED);
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(story.job().endedAt()).isEmpty();
        assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.RELEASED);
        assertThat(story.history())
                .containsExactly(new HistoryEntry(JobState.RUNNING, JobState.QUEUED, "closing", NODE, at(2)));
        assertThat(story.saved().checkpoint()).contains("7");
    }

    @Test
    void countsACrashInsteadOfAFailure() {
        JobDraft draft = JobDraft.of("mail");
        applied(ended(running(draft), Attempt.End.CRASHED, new Transition.Requeue("called exit")));
        assertThat(job(draft.id()).state()).isEqualTo(JobState.QUEUED);
        assertThat(job(draft.id()).counts()).isEqualTo(new Job.Counts(1, 0, 1));

        Fence second = start(claimAgain(draft.id(), at(3)));
        applied(ended(second, Attempt.End.CRASHED, new Transition.Fail("poison"), at(4)));

        JobDetails story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.FAILED);
        assertThat(story.job().reason()).contains("poison");
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(2, 0, 2));
        assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.CRASHED,
                Attempt.End.CRASHED);
        assertThat(story.history()).extracting(HistoryEntry::reason).containsExactly("called exit", "poison");
    }

    @Test
    void keepsASuspectIsolatedUntilItFailsOnItsOwn() {
        JobDraft draft = JobDraft.of("mail");
        running(draft);
        crash(new Transition.Requeue("node died"), true, at(5));

        Fence second = claimSuspect(at(6));
        applied(new Change.Released(second, "closing", at(6)));
        Fence third = claimSuspect(at(7));
        applied(ended(third, Attempt.End.RELEASED, new Transition.Requeue("closing"), at(7)));
        Fence fourth = claimSuspect(at(8));
        applied(ended(fourth, Attempt.End.FAILED, retry(at(9), "Retry 1/2"), at(8)));

        assertThat(ids(claim(at(9), 1, any("mail")))).containsExactly(draft.id());
    }

    private Fence claimSuspect(Instant now) {
        assertThat(claim(now, 1, any("mail")).claims()).isEmpty();
        return claim(now, 1, suspects("mail")).claims().getFirst().fence();
    }

    @Test
    void showsTheLastFailureUntilTheJobSucceeds() {
        JobDraft draft = JobDraft.of("mail");
        Fence first = running(draft);
        applied(ended(first, Attempt.End.FAILED, retry(at(10), "Retry 1/2")));
        Fence second = claimAgain(draft.id(), at(10));
        applied(ended(second, Attempt.End.RELEASED, new Transition.Requeue("closing"), at(11)));
        assertThat(job(draft.id()).failure()).as("a release does not clear the failure").contains(BOOM);

        applied(completion(claimAgain(draft.id(), at(12))));

        assertThat(job(draft.id()).failure()).isEmpty();
    }

    @Test
    void storesEveryFieldOfAFailure() {
        JobDraft draft = JobDraft.of("mail");
        Failure failure = new Failure(FailureCategory.PARTIAL, "half sent", "at Mail.send(Mail.java:7)",
                Duration.ofSeconds(30), "send", "top up the credit");

        applied(new Change.Ended(running(draft),
                new Change.Execution(WORKER, T0, at(1), at(2), Attempt.End.FAILED, failure),
                new Transition.Fail("Permanent failure"), false));

        assertThat(job(draft.id()).failure()).contains(failure);
        assertThat(story(draft.id()).attempts()).extracting(Attempt::failure).containsExactly(failure);
    }

    @Test
    void storesAttemptTimesWithMillisecondPrecision() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);

        applied(new Change.Ended(fence, new Change.Execution(WORKER, T0.plusNanos(1), at(1).plusNanos(2),
                at(2).plusNanos(1_000_003), Attempt.End.CANCELLED, null), new Transition.Cancel("x"), true));

        assertThat(story(draft.id()).attempts()).containsExactly(
                new Attempt(1, NODE, WORKER, T0, at(1), at(2).plusMillis(1), Attempt.End.CANCELLED, null));
        assertThat(job(draft.id()).endedAt()).contains(at(2).plusMillis(1));
        assertThat(story(draft.id()).history()).extracting(HistoryEntry::at).containsExactly(at(2).plusMillis(1));
    }

    @Test
    void writesAWholeAttemptInOneBatch() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = claimed(draft);

        assertThat(store.apply(List.of(new Change.Started(fence, at(1), StartGuarantee.NONE),
                new Change.Progressed(fence, new Progress(1, 1, "")), new Change.StepDone(fence, "fetch", "1", at(1)),
                death(fence)))).containsOnly(Verdict.APPLIED).hasSize(4);
        assertThat(job(draft.id()).state()).isEqualTo(JobState.FAILED);
        assertThat(store.saved(fence.seq()).steps()).containsExactly(Map.entry("fetch", "1"));
        assertThat(store.apply(List.of())).isEmpty();
    }
}
