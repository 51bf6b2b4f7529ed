package dev.heddle.testkit;

import java.util.Map;

import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.Command;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Ruling;
import dev.heddle.store.Saved;
import dev.heddle.store.Story;
import dev.heddle.store.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What people do with dead letters: try them again, one or many, or throw them away. */
abstract class DeadLetterContract extends StoreFixture {

    DeadLetterContract(StoreContract door) {
        super(door);
    }

    private static Command retry(JobId id) {
        return new Command.Retry(id, ACTOR, at(9));
    }

    private Ruling retryMatching(JobQuery query) {
        return store.execute(new Command.RetryMatching(query, ACTOR, at(9)));
    }

    private Ruling purgeMatching(JobQuery query) {
        return store.execute(new Command.PurgeMatching(query, ACTOR, at(9)));
    }

    @Test
    void queuesADeadLetterAgainWithAllItsRetriesAndAllThatItSaved() {
        Draft draft = Draft.of("mail").key("k");
        Fence fence = running(draft);
        applied(new Change.Checkpointed(fence, "7", at(1)));
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));
        applied(death(fence));

        assertThat(store.execute(retry(draft.id()))).isEqualTo(new Ruling.Done(1));

        Story story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.QUEUED);
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(story.job().reason()).isEmpty();
        assertThat(story.job().endedAt()).isEmpty();
        assertThat(story.job().failure()).as("it still failed before").contains(BOOM);
        assertThat(story.saved()).isEqualTo(new Saved("7", Map.of("fetch", "1")));
        assertThat(story.attempts()).hasSize(1);
        HistoryEntry last = story.history().getLast();
        assertThat(last).isEqualTo(
                new HistoryEntry(JobState.FAILED, JobState.QUEUED, last.reason(), ACTOR, at(9)));
        assertThat(insert(Draft.of("mail").key("k"))).as("holds its key again").isEqualTo(draft.id());
        assertThat(claimAgain(draft.id(), at(10)).attempt()).isEqualTo(2);
    }

    @Test
    void clearsASuspectOfItsCrashesAndItsSuspicion() {
        Draft draft = Draft.of("mail");
        running(draft);
        crash(new Transition.Die("crashed too often"), true, at(5));
        assertThat(job(draft.id()).counts().crashes()).isEqualTo(1);

        assertThat(store.execute(retry(draft.id()))).isEqualTo(new Ruling.Done(1));

        assertThat(job(draft.id()).counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(ids(claim(at(10), 9, any("mail")))).containsExactly(draft.id());
    }

    @ParameterizedTest
    @EnumSource(names = "FAILED", mode = EnumSource.Mode.EXCLUDE)
    void retriesNothingButDeadLetters(JobState state) {
        JobId id = in(state, Draft.of("mail"));
        Story before = story(id);

        assertThat(store.execute(retry(id))).isEqualTo(new Ruling.WrongState(state));
        assertThat(story(id)).isEqualTo(before);
    }

    @Test
    void leavesADeadLetterWhoseKeyAnotherJobHolds() {
        JobId dead = dead(Draft.of("mail").key("k"));
        Draft holder = Draft.of("mail").key("k");
        insert(holder);

        assertThat(store.execute(retry(dead))).isEqualTo(new Ruling.WrongState(JobState.FAILED));
        assertThat(job(dead).state()).isEqualTo(JobState.FAILED);

        applied(completion(claimAgain(holder.id(), at(3))));
        assertThat(store.execute(retry(dead))).isEqualTo(new Ruling.Done(1));
    }

    @Test
    void knowsTheEndOfAnEarlierAttemptAfterARetry() {
        Draft draft = Draft.of("mail");
        Fence fence = running(draft);
        applied(death(fence));
        store.execute(retry(draft.id()));

        assertThat(apply(death(fence))).isEqualTo(Verdict.REPEATED);
        assertThat(job(draft.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void retriesAllDeadLettersThatMatch() {
        JobId one = dead(Draft.of("mail").subject("s"));
        JobId two = dead(Draft.of("mail").subject("s"));
        JobId otherSubject = dead(Draft.of("mail").subject("t"));
        JobId otherType = dead(Draft.of("fax").subject("s"));
        JobId done = completed(Draft.of("mail").subject("s"), at(2));

        assertThat(retryMatching(JobQuery.all().type("mail").subject("s").states(JobState.COMPLETED)))
                .as("whatever states the query names").isEqualTo(new Ruling.Done(2));

        for (JobId id : new JobId[]{one, two}) {
            assertThat(job(id).state()).isEqualTo(JobState.QUEUED);
            assertThat(job(id).counts()).isEqualTo(new Job.Counts(1, 0, 0));
            assertThat(story(id).history()).hasSize(2);
        }
        assertThat(job(otherSubject).state()).isEqualTo(JobState.FAILED);
        assertThat(job(otherType).state()).isEqualTo(JobState.FAILED);
        assertThat(job(done).state()).isEqualTo(JobState.COMPLETED);
        assertThat(retryMatching(JobQuery.all().tag("none"))).isEqualTo(new Ruling.Done(0));
    }

    @Test
    void retriesNoMoreThanTheLimit() {
        for (int i = 0; i < 5; i++) {
            dead(Draft.of("mail" + i));
        }

        assertThat(retryMatching(JobQuery.all().limit(3))).isEqualTo(new Ruling.Done(3));
        assertThat(store.tally().dead()).isEqualTo(2);
        assertThat(store.tally().in(JobState.QUEUED)).isEqualTo(3);
    }

    @Test
    void skipsThoseWhoseKeyIsTakenWhenItRetriesMany() {
        JobId blocked = dead(Draft.of("mail").key("held"));
        JobId twin1 = dead(Draft.of("mail").key("twins"));
        JobId twin2 = dead(Draft.of("mail").key("twins"));
        insert(Draft.of("mail").key("held"));

        assertThat(retryMatching(JobQuery.all())).as("one of the twins").isEqualTo(new Ruling.Done(1));
        assertThat(job(blocked).state()).isEqualTo(JobState.FAILED);
        assertThat(new JobState[]{job(twin1).state(), job(twin2).state()})
                .containsExactlyInAnyOrder(JobState.QUEUED, JobState.FAILED);
    }

    @Test
    void purgesAllDeadLettersThatMatchWithEverythingOfTheirs() {
        Draft draft = Draft.of("mail").tags("old");
        Fence fence = running(draft);
        applied(new Change.Checkpointed(fence, "7", at(1)));
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));
        applied(death(fence));
        JobId untagged = dead(Draft.of("mail"));
        JobId done = completed(Draft.of("mail").tags("old"), at(2));
        JobId live = insert(Draft.of("mail").tags("old"));

        assertThat(purgeMatching(JobQuery.all().tag("old"))).isEqualTo(new Ruling.Done(1));

        assertThat(store.find(draft.id())).isEmpty();
        assertThat(store.story(draft.id())).isEmpty();
        assertThat(store.saved(fence.seq())).isEqualTo(Saved.NOTHING);
        assertThat(apply(death(fence))).as("nothing is left to repeat").isEqualTo(Verdict.LOST);
        assertThat(ids(store.list(JobQuery.all()))).containsExactly(live, done, untagged);
        assertThat(insert(draft)).as("a new job, were it submitted again").isEqualTo(draft.id());
        assertThat(story(draft.id()).attempts()).isEmpty();
        assertThat(story(draft.id()).history()).isEmpty();
    }

    @Test
    void purgesNoMoreThanTheLimit() {
        for (int i = 0; i < 5; i++) {
            dead(Draft.of("mail"));
        }

        assertThat(purgeMatching(JobQuery.all().limit(3))).isEqualTo(new Ruling.Done(3));
        assertThat(store.tally().dead()).isEqualTo(2);
        assertThat(purgeMatching(JobQuery.all())).isEqualTo(new Ruling.Done(2));
        assertThat(purgeMatching(JobQuery.all())).isEqualTo(new Ruling.Done(0));
    }
}
