package dev.heddle.testkit.store;

import java.time.Duration;
import java.util.List;

import dev.heddle.job.HistoryEntry;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import dev.heddle.store.Fence;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Commands from a person: cancel, pause, resume and delete a job; pause and resume a queue. */
abstract class AdminCommandContract extends StoreFixture {

    private static final CommandResult NOTHING_TO_DO = new CommandResult.Done(0);

    AdminCommandContract(StoreContract contract) {
        super(contract);
    }

    private static AdminCommand resume(JobId id, long second) {
        return new AdminCommand.Resume(id, ACTOR, at(second));
    }

    private void assertRefused(JobId id, AdminCommand command) {
        JobDetails before = story(id);
        assertThat(store.execute(command)).isEqualTo(new CommandResult.WrongState(before.job().state()));
        assertThat(story(id)).isEqualTo(before);
    }

    private void assertNothingToDo(JobId id, AdminCommand command) {
        JobDetails before = story(id);
        assertThat(store.execute(command)).isEqualTo(NOTHING_TO_DO);
        assertThat(story(id)).isEqualTo(before);
    }

    @Test
    void movesWaitingJobsToAnotherQueue() {
        for (JobState state : List.of(JobState.QUEUED, JobState.SCHEDULED, JobState.PAUSED)) {
            JobId id = in(state, JobDraft.of("mail " + state).queue("q"));

            assertThat(store.execute(new AdminCommand.Move(id, "other", ACTOR, at(5))))
                    .isEqualTo(new CommandResult.Done(1));
            assertThat(store.execute(new AdminCommand.Move(id, "other", ACTOR, at(5))))
                    .as("there already").isEqualTo(new CommandResult.Done(0));

            assertThat(job(id).queue()).isEqualTo("other");
            assertThat(job(id).state()).isEqualTo(state);
            assertThat(story(id).history().getLast())
                    .isEqualTo(new HistoryEntry(state, state, "moved to queue 'other'", ACTOR, at(5)));
        }
        store.execute(new AdminCommand.PauseQueue("q", ACTOR, at(6)));
        assertThat(claim(at(7), 10, any("mail QUEUED")).claims()).as("its old queue does not matter").hasSize(1);
    }

    @Test
    void claimsJobsInTheOrderOfTheirNewPriorities() {
        JobId first = insert(JobDraft.of("mail"));
        JobId second = insert(JobDraft.of("mail"));
        JobId third = insert(JobDraft.of("mail").limit("l", "k"));

        assertThat(store.execute(new AdminCommand.Reprioritize(second, 7, ACTOR, at(5))))
                .isEqualTo(new CommandResult.Done(1));
        assertThat(store.execute(new AdminCommand.Reprioritize(third, 9, ACTOR, at(5))))
                .isEqualTo(new CommandResult.Done(1));

        assertThat(job(second).spec().priority()).isEqualTo(7);
        assertThat(ids(claim(at(6), 10, any("mail")))).containsExactly(third, second, first);
    }

    @Test
    void movesNoJobThatANodeHoldsOrThatHasEnded() {
        for (JobState state : List.of(JobState.RUNNING, JobState.COMPLETED, JobState.FAILED, JobState.WAITING)) {
            JobId id = in(state, JobDraft.of("mail " + state));
            assertThat(store.execute(new AdminCommand.Move(id, "other", ACTOR, at(5))))
                    .isEqualTo(new CommandResult.WrongState(state));
        }
        assertThat(store.execute(new AdminCommand.Move(JobId.next(), "other", ACTOR, at(5))))
                .isEqualTo(new CommandResult.NotFound());
    }

    @Test
    void executesManyCommandsInOrder() {
        JobId first = insert(JobDraft.of("mail"));
        JobId second = insert(JobDraft.of("mail"));

        assertThat(store.executeAll(List.of(cancel(first, at(1)), cancel(JobId.next(), at(1)), cancel(second, at(1)),
                pause(second)))).containsExactly(new CommandResult.Done(1), new CommandResult.NotFound(),
                        new CommandResult.Done(1), new CommandResult.WrongState(JobState.CANCELLED));
    }

    @Test
    void reportsAnUnknownJobAsNotFound() {
        JobId id = JobId.next();

        for (AdminCommand command : List.of(cancel(id, T0), pause(id), resume(id, 1),
                new AdminCommand.Retry(id, ACTOR, T0), delete(id))) {
            assertThat(store.execute(command)).isEqualTo(new CommandResult.NotFound());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "SCHEDULED", "PAUSED"})
    void cancelsAJobThatHasNotStarted(JobState from) {
        JobDraft draft = JobDraft.of("mail");
        in(from, draft);
        int before = story(draft.id()).history().size();

        assertThat(store.execute(cancel(draft.id(), at(6).plusNanos(999_999)))).isEqualTo(new CommandResult.Done(1));

        JobDetails story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.CANCELLED);
        assertThat(story.job().reason()).contains("not needed");
        assertThat(story.job().endedAt()).contains(at(6));
        assertThat(story.job().dueAt()).isEmpty();
        assertThat(story.history()).hasSize(before + 1)
                .endsWith(new HistoryEntry(from, JobState.CANCELLED, "not needed", ACTOR, at(6)));
        assertThat(claim(at(7200), 9, any("mail")).claims()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"ASSIGNED", "RUNNING"})
    void marksAClaimedJobAsCancelledImmediately(JobState from) {
        JobDraft draft = JobDraft.of("mail");
        in(from, draft);

        assertThat(store.execute(cancel(draft.id(), at(6))))
                .isEqualTo(new CommandResult.StillRunning(new Fence(job(draft.id()).seq(), 1, NODE)));

        JobDetails story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.CANCELLED);
        assertThat(story.job().reason()).contains("not needed");
        assertThat(story.attempts()).isEmpty();
        assertThat(story.history())
                .containsExactly(new HistoryEntry(from, JobState.CANCELLED, "not needed", ACTOR, at(6)));
        assertThat(ids(store.list(JobQuery.all().states(JobState.CANCELLED)))).containsExactly(draft.id());
        assertThat(store.list(JobQuery.all().states(from))).isEmpty();
    }

    @Test
    void ignoresASecondCancel() {
        JobId ended = cancelled(JobDraft.of("mail"), at(2));
        JobDraft draft = JobDraft.of("mail");
        running(draft);
        store.execute(cancel(draft.id(), at(6)));

        assertNothingToDo(ended, new AdminCommand.Cancel(ended, "again", "bob", at(7)));
        assertNothingToDo(draft.id(), new AdminCommand.Cancel(draft.id(), "again", "bob", at(7)));
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "FAILED"})
    void refusesToCancelAnEndedJob(JobState state) {
        JobId id = in(state, JobDraft.of("mail"));

        assertRefused(id, cancel(id, at(6)));
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "SCHEDULED"})
    void pausesAQueuedOrScheduledJob(JobState from) {
        JobId id = in(from, JobDraft.of("mail"));
        var dueAt = job(id).dueAt();

        assertThat(store.execute(pause(id))).isEqualTo(new CommandResult.Done(1));

        JobDetails story = story(id);
        assertThat(story.job().state()).isEqualTo(JobState.PAUSED);
        assertThat(story.job().reason()).contains("too early");
        assertThat(story.job().dueAt()).as("keeps its due time").isEqualTo(dueAt);
        assertThat(story.history()).containsExactly(new HistoryEntry(from, JobState.PAUSED, "too early", ACTOR, at(5)));
        assertNothingToDo(id, new AdminCommand.Pause(id, "again", "bob", at(6)));
    }

    @ParameterizedTest
    @EnumSource(names = {"ASSIGNED", "RUNNING", "WAITING", "COMPLETED", "FAILED", "CANCELLED"})
    void refusesToPauseOrResumeAJobInAnyOtherState(JobState state) {
        JobId id = in(state, JobDraft.of("mail"));

        assertRefused(id, pause(id));
        assertRefused(id, resume(id, 6));
    }

    @Test
    void resumesAPausedJob() {
        JobId id = in(JobState.PAUSED, JobDraft.of("mail"));

        assertThat(store.execute(resume(id, 6))).isEqualTo(new CommandResult.Done(1));

        assertThat(job(id).state()).isEqualTo(JobState.QUEUED);
        assertThat(job(id).reason()).isEmpty();
        assertResumedTo(id, JobState.QUEUED);
        assertThat(ids(claim(at(7), 9, any("mail")))).containsExactly(id);
    }

    private void assertResumedTo(JobId id, JobState state) {
        assertThat(story(id).history().getLast())
                .isEqualTo(new HistoryEntry(JobState.PAUSED, state, "resumed", ACTOR, at(6)));
        assertThat(story(id).history()).hasSize(2);
    }

    @Test
    void resumesAPausedJobAsScheduledBeforeItsDueTime() {
        JobId id = insert(JobDraft.of("mail").due(at(7)));
        store.execute(pause(id));
        passUntil(at(6));

        assertThat(store.execute(resume(id, 6))).isEqualTo(new CommandResult.Done(1));

        assertThat(job(id).state()).isEqualTo(JobState.SCHEDULED);
        assertThat(job(id).dueAt()).contains(at(7));
        assertThat(job(id).reason()).isEmpty();
        assertResumedTo(id, JobState.SCHEDULED);
        assertThat(claim(at(6), 9, any("mail")).untilDue()).isEqualTo(Duration.ofSeconds(1));
        assertThat(ids(claim(at(7), 9, any("mail")))).containsExactly(id);
    }

    @Test
    void resumesAPausedJobAsQueuedOnceItIsDue() {
        JobId id = insert(JobDraft.of("mail").due(at(6)));
        store.execute(pause(id));
        passUntil(at(6));

        assertThat(store.execute(resume(id, 6))).isEqualTo(new CommandResult.Done(1));

        assertThat(job(id).state()).isEqualTo(JobState.QUEUED);
        assertThat(job(id).dueAt()).isEmpty();
        assertResumedTo(id, JobState.QUEUED);
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "SCHEDULED"})
    void ignoresAResumeOfAJobThatIsNotPaused(JobState state) {
        JobId id = in(state, JobDraft.of("mail"));

        assertNothingToDo(id, resume(id, 6));
    }

    @Test
    void pausesAndResumesAQueueEvenIfItIsEmpty() {
        AdminCommand pause = new AdminCommand.PauseQueue("slow", ACTOR, at(1));
        AdminCommand resume = new AdminCommand.ResumeQueue("slow", ACTOR, at(2));

        assertThat(store.execute(resume)).isEqualTo(NOTHING_TO_DO);
        assertThat(store.execute(pause)).isEqualTo(new CommandResult.Done(1));
        assertThat(store.execute(pause)).isEqualTo(NOTHING_TO_DO);
        assertThat(store.countJobs().pausedQueues()).containsExactly("slow");
        assertThat(store.execute(resume)).isEqualTo(new CommandResult.Done(1));
        assertThat(store.execute(resume)).isEqualTo(NOTHING_TO_DO);
        assertThat(store.countJobs().pausedQueues()).isEmpty();
    }

    @Test
    void doesNotChangeTheJobsOfAPausedQueue() {
        JobId id = insert(JobDraft.of("mail").queue("slow"));
        store.execute(new AdminCommand.PauseQueue("slow", ACTOR, at(1)));

        assertThat(job(id).state()).isEqualTo(JobState.QUEUED);
        assertThat(story(id).history()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "SCHEDULED", "PAUSED", "COMPLETED", "FAILED", "CANCELLED"})
    void deletesAJobThatNoNodeHolds(JobState state) {
        JobId other = insert(JobDraft.of("fax"));
        JobId id = in(state, JobDraft.of("mail").key("key"));

        assertThat(store.execute(delete(id))).isEqualTo(new CommandResult.Done(1));

        assertThat(store.find(id)).isEmpty();
        assertThat(store.details(id)).isEmpty();
        assertThat(ids(store.list(JobQuery.all()))).containsExactly(other);
        assertThat(claim(at(7200), 9, any("mail")).claims()).isEmpty();
        assertThat(store.countJobs().dead()).isZero();
        assertThat(store.execute(delete(id))).isEqualTo(new CommandResult.NotFound());
        JobId next = insert(JobDraft.of("mail").key("key"));
        assertThat(job(next).state()).as("its dedupe key is free").isEqualTo(JobState.QUEUED);
    }

    @ParameterizedTest
    @EnumSource(names = {"ASSIGNED", "RUNNING"})
    void refusesToDeleteAJobThatANodeHolds(JobState state) {
        JobId id = in(state, JobDraft.of("mail"));
        assertRefused(id, delete(id));

        store.execute(cancel(id, at(6)));
        JobDetails before = story(id);
        assertThat(store.execute(delete(id)))
                .isEqualTo(new CommandResult.StillRunning(new Fence(before.job().seq(), 1, NODE)));
        assertThat(story(id)).isEqualTo(before);
    }

    private static AdminCommand delete(JobId id) {
        return new AdminCommand.Delete(id, ACTOR, at(8));
    }
}
