package dev.heddle.testkit.store;

import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.CommandResult;
import dev.heddle.store.Fence;
import dev.heddle.store.JobDetails;
import dev.heddle.store.SavedState;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.JobDraft;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The end of an attempt that has its job run again: the same job waits, and starts afresh with what is carried. */
abstract class SelfRescheduleContract extends StoreFixture {

    SelfRescheduleContract(StoreContract contract) {
        super(contract);
    }

    private static Change.Ended again(Fence fence, Start start, @Nullable String data) {
        return ended(fence, Attempt.End.RESCHEDULED, new Transition.Reschedule(start, data));
    }

    private static Start in(long seconds) {
        return new Start.After(Duration.ofSeconds(seconds));
    }

    @Test
    void waitsForItsTimeAndRunsAgainWithTheCarriedData() {
        JobDraft draft = JobDraft.of("mail").payload("{\"to\": \"ann\"}").priority(3).tags("a").key("k");
        Fence first = running(draft);
        applied(new Change.StepDone(first, "step", "1", at(2)));
        applied(new Change.Checkpointed(first, "7", at(2)));
        passUntil(at(2));

        applied(again(first, in(60), "{\"from\": 9}"));

        JobDetails story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.SCHEDULED);
        assertThat(story.job().dueAt()).contains(at(62));
        assertThat(story.job().spec()).isEqualTo(draft.spec());
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(story.saved().steps()).isEmpty();
        assertThat(story.saved().checkpoint()).get().asString().contains("9").doesNotContain("7");
        assertThat(story.attempts()).singleElement().extracting(Attempt::end).isEqualTo(Attempt.End.RESCHEDULED);
        assertThat(insert(JobDraft.of("mail").key("k"))).as("it keeps its dedupe key").isEqualTo(draft.id());
        assertThat(claim(at(61), 9, any("mail")).claims()).isEmpty();
        Fence second = claimAgain(draft.id(), at(62));
        assertThat(second.attempt()).isEqualTo(2);
        applied(completion(second));
        assertThat(job(draft.id()).state()).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void waitsForATimeOfDay() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);

        applied(again(fence, new Start.At(at(60)), null));

        assertThat(job(draft.id()).dueAt()).contains(at(60));
        assertThat(story(draft.id()).saved()).isEqualTo(SavedState.EMPTY);
        claimAgain(draft.id(), at(60));
    }

    @Test
    void startsAtOnceIfItsTimeIsPast() {
        JobDraft draft = JobDraft.of("mail");
        applied(again(running(draft), new Start.At(at(-60)), null));

        assertThat(job(draft.id()).state()).isEqualTo(JobState.SCHEDULED);
        assertThat(claimAgain(draft.id(), T0).attempt()).isEqualTo(2);
    }

    @Test
    void countsFailuresFromZeroAgain() {
        JobDraft draft = JobDraft.of("mail");
        applied(ended(running(draft), Attempt.End.FAILED, retry(at(3), "Retry 1/3")));
        Fence second = start(claimAgain(draft.id(), at(3)));
        assertThat(job(draft.id()).counts().failures()).isEqualTo(1);

        applied(again(second, in(1), null));

        assertThat(job(draft.id()).counts()).isEqualTo(new Job.Counts(2, 0, 0));
    }

    @Test
    void writesTheEndOnceAndOnlyForTheAttemptThatHasTheJob() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        applied(again(fence, in(60), "1"));

        assertThat(apply(again(fence, in(90), "2"))).isEqualTo(Verdict.REPEATED);
        Fence second = claimAgain(draft.id(), at(90));
        assertThat(apply(again(fence, in(90), "2"))).isEqualTo(Verdict.REPEATED);
        assertThat(apply(again(new Fence(second.seq(), 2, "other"), in(90), "2"))).isEqualTo(Verdict.LOST);
        assertThat(job(draft.id()).state()).isEqualTo(JobState.ASSIGNED);
        assertThat(store.saved(second.seq()).checkpoint()).contains("1");
    }

    @Test
    void ignoresTheWishOfACancelledJob() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        assertThat(store.execute(cancel(draft.id(), at(2)))).isInstanceOf(CommandResult.StillRunning.class);

        assertThat(apply(again(fence, in(60), "1"))).isEqualTo(Verdict.CANCELLED);
        assertThat(job(draft.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(claim(at(90), 9, any("mail")).claims()).isEmpty();
    }

    @Test
    void keepsTheRecordsOfTheLastAttemptsOnly() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = claimed(draft);
        applied(ended(start(fence), Attempt.End.FAILED, retry(at(2), "Retry 1/3"), at(2)));
        int runs = Transition.Reschedule.KEPT_ATTEMPTS + 3;
        for (int i = 3; i < 3 + runs; i++) {
            applied(ended(start(claimAgain(draft.id(), at(i))), Attempt.End.RESCHEDULED,
                    new Transition.Reschedule(in(0), Integer.toString(i)), at(i)));
        }

        JobDetails story = story(draft.id());
        assertThat(story.attempts()).extracting(Attempt::number)
                .containsExactlyElementsOf(IntStream.rangeClosed(runs + 2 - Transition.Reschedule.KEPT_ATTEMPTS,
                        runs + 1).boxed().toList());
        assertThat(story.history()).isEmpty();
        assertThat(story.job().failure()).isEmpty();
        assertThat(store.saved(fence.seq())).isEqualTo(new SavedState(Integer.toString(runs + 2), Map.of(), null));
    }
}
