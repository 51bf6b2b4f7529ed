package dev.heddle.testkit.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Retention;
import dev.heddle.store.SavedState;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Pruning: which ended jobs and which saved states are deleted, and which are always kept. */
abstract class RetentionContract extends StoreFixture {

    private static final Duration FOREVER = Duration.ofDays(3650);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Instant HOUR_AFTER_10 = at(10).plus(HOUR);

    RetentionContract(StoreContract contract) {
        super(contract);
    }

    private static Retention age(Duration age) {
        return new Retention(age, Long.MAX_VALUE, FOREVER, 500);
    }

    private static Retention count(long count) {
        return new Retention(FOREVER, count, FOREVER, 500);
    }

    private static Retention checkpoints(Duration checkpoints) {
        return new Retention(FOREVER, Long.MAX_VALUE, checkpoints, 500);
    }

    private List<JobId> remaining() {
        return ids(store.list(JobQuery.all()));
    }

    @Test
    void deletesEndedJobsOlderThanTheMaximumAge() {
        completed(JobDraft.of("mail"), at(9));
        cancelled(JobDraft.of("mail"), at(9));
        JobId justInTime = completed(JobDraft.of("mail"), at(10));
        JobId younger = cancelled(JobDraft.of("mail"), at(11));

        assertThat(store.prune(age(HOUR), HOUR_AFTER_10)).isEqualTo(2);

        assertThat(remaining()).containsExactly(younger, justInTime);
        assertThat(store.prune(age(HOUR), HOUR_AFTER_10)).isZero();
    }

    @Test
    void deletesTheOldestJobsBeyondTheMaximumCount() {
        JobId newest = completed(JobDraft.of("mail"), at(14));
        completed(JobDraft.of("mail"), at(11));
        JobId second = cancelled(JobDraft.of("mail"), at(13));
        completed(JobDraft.of("mail"), at(12));

        assertThat(store.prune(count(2), at(20))).isEqualTo(2);

        assertThat(remaining()).as("ordered by end time").containsExactly(second, newest);
        assertThat(store.prune(count(2), at(20))).isZero();
    }

    @Test
    void deletesEveryEndedJobIfTheMaximumCountIsZero() {
        completed(JobDraft.of("mail"), at(11));
        JobId live = insert(JobDraft.of("mail"));

        assertThat(store.prune(count(0), at(20))).isEqualTo(1);
        assertThat(remaining()).containsExactly(live);
    }

    @Test
    void deletesInBatchesOldestFirst() {
        JobId third = completed(JobDraft.of("mail"), at(3));
        completed(JobDraft.of("mail"), at(1));
        completed(JobDraft.of("mail"), at(2));
        Retention twoAtATime = new Retention(HOUR, Long.MAX_VALUE, FOREVER, 2);

        assertThat(store.prune(twoAtATime, HOUR_AFTER_10)).isEqualTo(2);
        assertThat(remaining()).containsExactly(third);
        assertThat(store.prune(twoAtATime, HOUR_AFTER_10)).isEqualTo(1);
        assertThat(store.prune(twoAtATime, HOUR_AFTER_10)).isZero();
    }

    @Test
    void neverDeletesOrCountsDeadLetters() {
        JobId dead1 = dead(JobDraft.of("mail"));
        JobId dead2 = dead(JobDraft.of("mail"));
        JobId done = completed(JobDraft.of("mail"), at(1));

        assertThat(store.prune(count(1), at(20))).isZero();
        assertThat(store.prune(age(HOUR), at(900_000))).isEqualTo(1);
        assertThat(remaining()).containsExactly(dead2, dead1).doesNotContain(done);
    }

    @Test
    void neverDeletesLiveJobs() {
        for (JobState state : List.of(JobState.QUEUED, JobState.SCHEDULED, JobState.PAUSED, JobState.ASSIGNED,
                JobState.RUNNING)) {
            in(state, JobDraft.of(state.name()));
        }
        JobDraft cancelled = JobDraft.of("mail");
        Fence fence = running(cancelled);
        store.execute(cancel(cancelled.id(), at(2)));

        assertThat(store.prune(new Retention(Duration.ZERO, 0, FOREVER, 500), at(900_000))).isZero();
        assertThat(remaining()).hasSize(6);

        assertThat(apply(completion(fence))).isEqualTo(Verdict.CANCELLED);
        assertThat(store.prune(count(0), at(900_000))).as("its attempt has ended now").isEqualTo(1);
    }

    @Test
    void deletesAJobAndEverythingStoredForIt() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        applied(new Change.Checkpointed(fence, "7", at(1)));
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));
        applied(ended(fence, Attempt.End.CANCELLED, new Transition.Cancel("gave up")));

        assertThat(store.prune(age(HOUR), HOUR_AFTER_10)).isEqualTo(1);

        assertThat(store.find(draft.id())).isEmpty();
        assertThat(store.details(draft.id())).isEmpty();
        assertThat(store.saved(fence.seq())).isEqualTo(SavedState.EMPTY);
        assertThat(insert(draft)).isEqualTo(draft.id());
        assertThat(job(draft.id()).state()).as("a new job").isEqualTo(JobState.QUEUED);
        assertThat(story(draft.id()).attempts()).isEmpty();
        assertThat(story(draft.id()).history()).isEmpty();
    }

    @Test
    void keepsTheChildrenOfALiveParent() {
        JobDraft parent = JobDraft.of("batch");
        Fence fence = running(parent);
        JobId child = completed(JobDraft.of("mail").parent(parent.id()), at(1));
        JobId stranger = completed(JobDraft.of("mail"), at(2));

        assertThat(store.prune(new Retention(HOUR, 0, FOREVER, 500), HOUR_AFTER_10)).isEqualTo(1);
        assertThat(remaining()).containsExactly(child, parent.id()).doesNotContain(stranger);

        store.execute(cancel(parent.id(), at(5)));
        assertThat(store.prune(age(HOUR), HOUR_AFTER_10)).as("cancelled, but its attempt still runs").isZero();

        apply(ended(fence, Attempt.End.CANCELLED, new Transition.Cancel("told to stop"), at(11)));
        assertThat(store.prune(age(HOUR), HOUR_AFTER_10)).isEqualTo(1);
        assertThat(remaining()).containsExactly(parent.id());
    }

    @Test
    void looksPastABatchFullOfChildrenThatItKeeps() {
        JobDraft parent = JobDraft.of("batch");
        running(parent);
        JobId child = completed(JobDraft.of("mail").parent(parent.id()), at(1));
        completed(JobDraft.of("mail"), at(2));

        assertThat(store.prune(new Retention(HOUR, Long.MAX_VALUE, FOREVER, 1), HOUR_AFTER_10)).isEqualTo(1);
        assertThat(remaining()).containsExactly(child, parent.id());
    }

    @Test
    void keepsTheChildrenOfADeadLetterForItsRetry() {
        JobId parent = dead(JobDraft.of("batch"));
        JobId child = completed(JobDraft.of("mail").parent(parent), at(1));

        assertThat(store.prune(age(HOUR), HOUR_AFTER_10)).isZero();
        assertThat(remaining()).containsExactly(child, parent);
    }

    @Test
    void deletesTheChildrenOfADeletedParent() {
        JobId parent = dead(JobDraft.of("batch"));
        completed(JobDraft.of("mail").parent(parent), at(1));
        store.execute(new AdminCommand.Delete(parent, ACTOR, at(2)));

        assertThat(store.prune(age(HOUR), HOUR_AFTER_10)).isEqualTo(1);
        assertThat(remaining()).isEmpty();
    }

    private Fence saving(JobDraft draft) {
        Fence fence = running(draft);
        applied(new Change.Checkpointed(fence, "7", at(1)));
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));
        return fence;
    }

    @Test
    void deletesTheSavedStateOfEndedJobsAfterTheCheckpointAge() {
        Fence dead = saving(JobDraft.of("mail"));
        applied(ended(dead, Attempt.End.FAILED, new Transition.Fail("dead"), at(9)));
        Fence cancelled = saving(JobDraft.of("mail"));
        applied(ended(cancelled, Attempt.End.CANCELLED, new Transition.Cancel("gave up"), at(9)));
        Fence younger = saving(JobDraft.of("mail"));
        applied(ended(younger, Attempt.End.FAILED, new Transition.Fail("dead"), at(10)));
        Fence live = saving(JobDraft.of("mail"));
        SavedState kept = new SavedState("7", Map.of("fetch", "1"), at(1));

        assertThat(store.prune(checkpoints(HOUR), HOUR_AFTER_10)).as("no job is deleted").isZero();

        assertThat(remaining()).hasSize(4);
        assertThat(store.saved(dead.seq())).isEqualTo(SavedState.EMPTY);
        assertThat(store.saved(cancelled.seq())).isEqualTo(SavedState.EMPTY);
        assertThat(store.saved(younger.seq())).isEqualTo(kept);
        assertThat(store.saved(live.seq())).isEqualTo(kept);
    }

    @Test
    void keepsTheSavedStateOfARetriedDeadLetter() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = saving(draft);
        applied(death(fence));
        store.execute(new AdminCommand.Retry(draft.id(), ACTOR, at(9)));

        store.prune(checkpoints(HOUR), at(900_000));

        assertThat(store.saved(fence.seq()).checkpoint()).contains("7");
    }
}
