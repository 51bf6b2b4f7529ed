package dev.heddle.testkit.store;

import java.util.List;
import java.util.Map;

import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.CommandResult;
import dev.heddle.store.Fence;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.SavedState;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Retrying and purging dead letters, one or many at a time. */
abstract class DeadLetterContract extends StoreFixture {

    DeadLetterContract(StoreContract contract) {
        super(contract);
    }

    private static AdminCommand retry(JobId id) {
        return new AdminCommand.Retry(id, ACTOR, at(9));
    }

    private CommandResult retryMatching(JobQuery query) {
        return store.execute(new AdminCommand.RetryMatching(query, ACTOR, at(9)));
    }

    private CommandResult purgeMatching(JobQuery query) {
        return store.execute(new AdminCommand.PurgeMatching(query, ACTOR, at(9)));
    }

    @Test
    void requeuesADeadLetterWithFreshRetriesAndItsSavedState() {
        JobDraft draft = JobDraft.of("mail").key("k");
        Fence fence = running(draft);
        applied(new Change.Checkpointed(fence, "7", at(1)));
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));
        applied(death(fence));

        assertThat(store.execute(retry(draft.id()))).isEqualTo(new CommandResult.Done(1));

        JobDetails story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.QUEUED);
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(story.job().reason()).isEmpty();
        assertThat(story.job().endedAt()).isEmpty();
        assertThat(story.job().failure()).as("keeps the earlier failure").contains(BOOM);
        assertThat(story.saved()).isEqualTo(new SavedState("7", Map.of("fetch", "1"), at(1)));
        assertThat(story.attempts()).hasSize(1);
        assertThat(story.history().getLast())
                .isEqualTo(new HistoryEntry(JobState.FAILED, JobState.QUEUED, "retried by hand", ACTOR, at(9)));
        assertThat(insert(JobDraft.of("mail").key("k"))).as("holds its dedupe key again").isEqualTo(draft.id());
        assertThat(claimAgain(draft.id(), at(10)).attempt()).isEqualTo(2);
    }

    @Test
    void forgetsAStepAndAllAfterItIfARetryAsksForThat() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        applied(new Change.Checkpointed(fence, "7", at(1)));
        applied(new Change.StepDone(fence, "send", "1", at(0)));
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));
        applied(new Change.StepDone(fence, "charge", "1", at(2)));
        applied(new Change.StepDone(fence, "book", "1", at(3)));
        applied(new Change.StepDone(fence, "charge", "2", at(9)));
        applied(death(fence));

        assertThat(store.execute(new AdminCommand.Retry(draft.id(), "sent", true, ACTOR, at(9))))
                .isEqualTo(new CommandResult.NoSuchStep("sent", List.of("send", "fetch", "charge", "book")));
        assertThat(job(draft.id()).state()).as("is left alone").isEqualTo(JobState.FAILED);
        assertThat(store.saved(fence.seq()).checkpoint()).contains("7");

        assertThat(store.execute(new AdminCommand.Retry(draft.id(), "charge", false, ACTOR, at(9))))
                .isEqualTo(new CommandResult.Done(1));
        assertThat(store.saved(fence.seq()).steps().keySet()).containsExactly("send", "fetch");
        assertThat(store.saved(fence.seq()).checkpoint()).contains("7");
        assertThat(story(draft.id()).history().getLast().reason()).isEqualTo("retried by hand from step 'charge'");
        assertThat(store.execute(new AdminCommand.Retry(draft.id(), "fetch", false, ACTOR, at(9))))
                .as("is no dead letter any more").isEqualTo(new CommandResult.WrongState(JobState.QUEUED));
    }

    @Test
    void forgetsTheCheckpointIfARetryAsksForThat() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        applied(new Change.Checkpointed(fence, "7", at(1)));
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));
        applied(death(fence));

        assertThat(store.execute(new AdminCommand.Retry(draft.id(), null, true, ACTOR, at(9))))
                .isEqualTo(new CommandResult.Done(1));
        assertThat(store.saved(fence.seq())).isEqualTo(new SavedState(null, Map.of("fetch", "1"), at(1)));
    }

    @Test
    void clearsTheCrashCountOfARetriedSuspect() {
        JobDraft draft = JobDraft.of("mail");
        running(draft);
        crash(new Transition.Fail("crashed too often"), true, at(5));
        assertThat(job(draft.id()).counts().crashes()).isEqualTo(1);

        assertThat(store.execute(retry(draft.id()))).isEqualTo(new CommandResult.Done(1));

        assertThat(job(draft.id()).counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(ids(claim(at(10), 9, any("mail")))).containsExactly(draft.id());
    }

    @ParameterizedTest
    @EnumSource(names = "FAILED", mode = EnumSource.Mode.EXCLUDE)
    void refusesToRetryAJobThatIsNotADeadLetter(JobState state) {
        JobId id = in(state, JobDraft.of("mail"));
        JobDetails before = story(id);

        assertThat(store.execute(retry(id))).isEqualTo(new CommandResult.WrongState(state));
        assertThat(story(id)).isEqualTo(before);
    }

    @Test
    void refusesToRetryIfAnotherJobHoldsTheDedupeKey() {
        JobId dead = dead(JobDraft.of("mail").key("k"));
        JobDraft holder = JobDraft.of("mail").key("k");
        insert(holder);

        assertThat(store.execute(retry(dead))).isEqualTo(new CommandResult.WrongState(JobState.FAILED));
        assertThat(job(dead).state()).isEqualTo(JobState.FAILED);

        applied(completion(claimAgain(holder.id(), at(3))));
        assertThat(store.execute(retry(dead))).isEqualTo(new CommandResult.Done(1));
    }

    @Test
    void recognizesARepeatedEndAfterARetry() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        applied(death(fence));
        store.execute(retry(draft.id()));

        assertThat(apply(death(fence))).isEqualTo(Verdict.REPEATED);
        assertThat(job(draft.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void retriesAllDeadLettersThatMatch() {
        JobId one = dead(JobDraft.of("mail").subject("s"));
        JobId two = dead(JobDraft.of("mail").subject("s"));
        JobId otherSubject = dead(JobDraft.of("mail").subject("t"));
        JobId otherType = dead(JobDraft.of("fax").subject("s"));
        JobId done = completed(JobDraft.of("mail").subject("s"), at(2));

        assertThat(retryMatching(JobQuery.all().type("mail").subject("s").states(JobState.COMPLETED)))
                .as("the states of the query are ignored").isEqualTo(new CommandResult.Done(2));

        for (JobId id : new JobId[]{one, two}) {
            assertThat(job(id).state()).isEqualTo(JobState.QUEUED);
            assertThat(job(id).counts()).isEqualTo(new Job.Counts(1, 0, 0));
            assertThat(story(id).history()).hasSize(2);
        }
        assertThat(job(otherSubject).state()).isEqualTo(JobState.FAILED);
        assertThat(job(otherType).state()).isEqualTo(JobState.FAILED);
        assertThat(job(done).state()).isEqualTo(JobState.COMPLETED);
        assertThat(retryMatching(JobQuery.all().tag("none"))).isEqualTo(new CommandResult.Done(0));
    }

    @Test
    void retriesNoMoreThanTheLimit() {
        for (int i = 0; i < 5; i++) {
            dead(JobDraft.of("mail" + i));
        }

        assertThat(retryMatching(JobQuery.all().limit(3))).isEqualTo(new CommandResult.Done(3));
        assertThat(store.countJobs().dead()).isEqualTo(2);
        assertThat(store.countJobs().in(JobState.QUEUED)).isEqualTo(3);
    }

    @Test
    void skipsDeadLettersWhoseDedupeKeyIsTaken() {
        JobId blocked = dead(JobDraft.of("mail").key("held"));
        JobId first = dead(JobDraft.of("mail").key("shared"));
        JobId second = dead(JobDraft.of("mail").key("shared"));
        insert(JobDraft.of("mail").key("held"));

        assertThat(retryMatching(JobQuery.all())).as("only one of them can hold the key")
                .isEqualTo(new CommandResult.Done(1));
        assertThat(job(blocked).state()).isEqualTo(JobState.FAILED);
        assertThat(new JobState[]{job(first).state(), job(second).state()}).containsExactlyInAnyOrder(JobState.QUEUED,
                JobState.FAILED);
    }

    @Test
    void purgesMatchingDeadLettersAndEverythingStoredForThem() {
        JobDraft draft = JobDraft.of("mail").tags("old");
        Fence fence = running(draft);
        applied(new Change.Checkpointed(fence, "7", at(1)));
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));
        applied(death(fence));
        JobId untagged = dead(JobDraft.of("mail"));
        JobId done = completed(JobDraft.of("mail").tags("old"), at(2));
        JobId live = insert(JobDraft.of("mail").tags("old"));

        assertThat(purgeMatching(JobQuery.all().tag("old"))).isEqualTo(new CommandResult.Done(1));

        assertThat(store.find(draft.id())).isEmpty();
        assertThat(store.details(draft.id())).isEmpty();
        assertThat(store.saved(fence.seq())).isEqualTo(SavedState.EMPTY);
        assertThat(apply(death(fence))).as("the end is forgotten, so it is no repetition").isEqualTo(Verdict.LOST);
        assertThat(ids(store.list(JobQuery.all()))).containsExactly(live, done, untagged);
        assertThat(insert(draft)).as("the id is free for a new job").isEqualTo(draft.id());
        assertThat(story(draft.id()).attempts()).isEmpty();
        assertThat(story(draft.id()).history()).isEmpty();
    }

    @Test
    void purgesNoMoreThanTheLimit() {
        for (int i = 0; i < 5; i++) {
            dead(JobDraft.of("mail"));
        }

        assertThat(purgeMatching(JobQuery.all().limit(3))).isEqualTo(new CommandResult.Done(3));
        assertThat(store.countJobs().dead()).isEqualTo(2);
        assertThat(purgeMatching(JobQuery.all())).isEqualTo(new CommandResult.Done(2));
        assertThat(purgeMatching(JobQuery.all())).isEqualTo(new CommandResult.Done(0));
    }
}
