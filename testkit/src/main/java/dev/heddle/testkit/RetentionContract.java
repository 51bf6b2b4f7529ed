package dev.heddle.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.Command;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Retention;
import dev.heddle.store.Saved;
import dev.heddle.store.Verdict;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What goes by itself once it is old enough, and what never does. */
abstract class RetentionContract extends StoreFixture {

    private static final Duration FOR_EVER = Duration.ofDays(3650);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Instant HOUR_AFTER_10 = at(10).plus(HOUR);

    RetentionContract(StoreContract door) {
        super(door);
    }

    private static Retention age(Duration age) {
        return new Retention(age, Long.MAX_VALUE, FOR_EVER, 500);
    }

    private static Retention count(long count) {
        return new Retention(FOR_EVER, count, FOR_EVER, 500);
    }

    private static Retention checkpoints(Duration checkpoints) {
        return new Retention(FOR_EVER, Long.MAX_VALUE, checkpoints, 500);
    }

    private List<JobId> left() {
        return ids(store.list(JobQuery.all()));
    }

    @Test
    void deletesJobsThatEndedLongerAgoThanTheAge() {
        completed(Draft.of("mail"), at(9));
        cancelled(Draft.of("mail"), at(9));
        JobId onTheLine = completed(Draft.of("mail"), at(10));
        JobId younger = cancelled(Draft.of("mail"), at(11));

        assertThat(store.prune(age(HOUR), HOUR_AFTER_10)).isEqualTo(2);

        assertThat(left()).containsExactly(younger, onTheLine);
        assertThat(store.prune(age(HOUR), HOUR_AFTER_10)).isZero();
    }

    @Test
    void deletesTheOldestBeyondTheCount() {
        JobId newest = completed(Draft.of("mail"), at(14));
        completed(Draft.of("mail"), at(11));
        JobId second = cancelled(Draft.of("mail"), at(13));
        completed(Draft.of("mail"), at(12));

        assertThat(store.prune(count(2), at(20))).isEqualTo(2);

        assertThat(left()).as("by the time of their ends").containsExactly(second, newest);
        assertThat(store.prune(count(2), at(20))).isZero();
    }

    @Test
    void deletesEveryEndedJobWhenNoneIsToBeKept() {
        completed(Draft.of("mail"), at(11));
        JobId live = insert(Draft.of("mail"));

        assertThat(store.prune(count(0), at(20))).isEqualTo(1);
        assertThat(left()).containsExactly(live);
    }

    @Test
    void deletesABatchAtATimeTheLongestEndedFirst() {
        JobId third = completed(Draft.of("mail"), at(3));
        completed(Draft.of("mail"), at(1));
        completed(Draft.of("mail"), at(2));
        Retention twoAtATime = new Retention(HOUR, Long.MAX_VALUE, FOR_EVER, 2);

        assertThat(store.prune(twoAtATime, HOUR_AFTER_10)).isEqualTo(2);
        assertThat(left()).containsExactly(third);
        assertThat(store.prune(twoAtATime, HOUR_AFTER_10)).isEqualTo(1);
        assertThat(store.prune(twoAtATime, HOUR_AFTER_10)).isZero();
    }

    @Test
    void neverDeletesDeadLettersNorCountsThem() {
        JobId dead1 = dead(Draft.of("mail"));
        JobId dead2 = dead(Draft.of("mail"));
        JobId done = completed(Draft.of("mail"), at(1));

        assertThat(store.prune(count(1), at(20))).isZero();
        assertThat(store.prune(age(HOUR), at(900_000))).isEqualTo(1);
        assertThat(left()).containsExactly(dead2, dead1).doesNotContain(done);
    }

    @Test
    void neverDeletesJobsThatHaveNotEnded() {
        for (JobState state : List.of(JobState.QUEUED, JobState.SCHEDULED, JobState.PAUSED, JobState.ASSIGNED,
                JobState.RUNNING)) {
            in(state, Draft.of(state.name()));
        }
        Draft cancelled = Draft.of("mail");
        Fence fence = running(cancelled);
        store.execute(cancel(cancelled.id(), at(2)));

        assertThat(store.prune(new Retention(Duration.ZERO, 0, FOR_EVER, 500), at(900_000))).isZero();
        assertThat(left()).hasSize(6);

        assertThat(apply(completion(fence))).isEqualTo(Verdict.CANCELLED);
        assertThat(store.prune(count(0), at(900_000))).as("its attempt has ended now").isEqualTo(1);
    }

    @Test
    void deletesAJobWithEverythingOfIts() {
        Draft draft = Draft.of("mail");
        Fence fence = running(draft);
        applied(new Change.Checkpointed(fence, "7", at(1)));
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));
        applied(ended(fence, Attempt.End.CANCELLED, new Transition.Cancel("gave up")));

        assertThat(store.prune(age(HOUR), HOUR_AFTER_10)).isEqualTo(1);

        assertThat(store.find(draft.id())).isEmpty();
        assertThat(store.story(draft.id())).isEmpty();
        assertThat(store.saved(fence.seq())).isEqualTo(Saved.NOTHING);
        assertThat(insert(draft)).isEqualTo(draft.id());
        assertThat(job(draft.id()).state()).as("a new job").isEqualTo(JobState.QUEUED);
        assertThat(story(draft.id()).attempts()).isEmpty();
        assertThat(story(draft.id()).history()).isEmpty();
    }

    @Test
    void keepsTheChildrenOfAParentThatHasNotEnded() {
        Draft parent = Draft.of("batch");
        Fence fence = running(parent);
        JobId child = completed(Draft.of("mail").parent(parent.id()), at(1));
        JobId stranger = completed(Draft.of("mail"), at(2));

        assertThat(store.prune(new Retention(HOUR, 0, FOR_EVER, 500), HOUR_AFTER_10)).isEqualTo(1);
        assertThat(left()).containsExactly(child, parent.id()).doesNotContain(stranger);

        store.execute(cancel(parent.id(), at(5)));
        assertThat(store.prune(age(HOUR), HOUR_AFTER_10)).as("cancelled, but still at work").isZero();

        apply(ended(fence, Attempt.End.CANCELLED, new Transition.Cancel("told to stop"), at(11)));
        assertThat(store.prune(age(HOUR), HOUR_AFTER_10)).isEqualTo(1);
        assertThat(left()).containsExactly(parent.id());
    }

    @Test
    void keepsNoBatchFullOfChildrenFromReachingTheOthers() {
        Draft parent = Draft.of("batch");
        running(parent);
        JobId child = completed(Draft.of("mail").parent(parent.id()), at(1));
        completed(Draft.of("mail"), at(2));

        assertThat(store.prune(new Retention(HOUR, Long.MAX_VALUE, FOR_EVER, 1), HOUR_AFTER_10)).isEqualTo(1);
        assertThat(left()).containsExactly(child, parent.id());
    }

    @Test
    void keepsTheChildrenOfADeadLetterWhichMayNeedThemWhenItIsRetried() {
        JobId parent = dead(Draft.of("batch"));
        JobId child = completed(Draft.of("mail").parent(parent), at(1));

        assertThat(store.prune(age(HOUR), HOUR_AFTER_10)).isZero();
        assertThat(left()).containsExactly(child, parent);
    }

    @Test
    void deletesTheChildrenOfAParentThatIsGone() {
        JobId parent = dead(Draft.of("batch"));
        completed(Draft.of("mail").parent(parent), at(1));
        store.execute(new Command.Delete(parent, ACTOR, at(2)));

        assertThat(store.prune(age(HOUR), HOUR_AFTER_10)).isEqualTo(1);
        assertThat(left()).isEmpty();
    }

    private Fence saving(Draft draft) {
        Fence fence = running(draft);
        applied(new Change.Checkpointed(fence, "7", at(1)));
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));
        return fence;
    }

    @Test
    void deletesWhatEndedJobsSavedAfterATimeOfItsOwn() {
        Fence dead = saving(Draft.of("mail"));
        applied(ended(dead, Attempt.End.FAILED, new Transition.Die("dead"), at(9)));
        Fence cancelled = saving(Draft.of("mail"));
        applied(ended(cancelled, Attempt.End.CANCELLED, new Transition.Cancel("gave up"), at(9)));
        Fence younger = saving(Draft.of("mail"));
        applied(ended(younger, Attempt.End.FAILED, new Transition.Die("dead"), at(10)));
        Fence live = saving(Draft.of("mail"));
        Saved kept = new Saved("7", Map.of("fetch", "1"));

        assertThat(store.prune(checkpoints(HOUR), HOUR_AFTER_10)).as("no job goes").isZero();

        assertThat(left()).hasSize(4);
        assertThat(store.saved(dead.seq())).isEqualTo(Saved.NOTHING);
        assertThat(store.saved(cancelled.seq())).isEqualTo(Saved.NOTHING);
        assertThat(store.saved(younger.seq())).isEqualTo(kept);
        assertThat(store.saved(live.seq())).isEqualTo(kept);
    }

    @Test
    void keepsWhatADeadLetterSavedOnceItIsRetried() {
        Draft draft = Draft.of("mail");
        Fence fence = saving(draft);
        applied(death(fence));
        store.execute(new Command.Retry(draft.id(), ACTOR, at(9)));

        store.prune(checkpoints(HOUR), at(900_000));

        assertThat(store.saved(fence.seq()).checkpoint()).contains("7");
    }
}
