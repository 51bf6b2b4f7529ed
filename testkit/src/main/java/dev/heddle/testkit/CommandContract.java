package dev.heddle.testkit;

import java.util.List;

import dev.heddle.job.HistoryEntry;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.Command;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Ruling;
import dev.heddle.store.Story;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What people ask for: cancel, pause, resume, delete, and what of it there is for queues. */
abstract class CommandContract extends StoreFixture {

    private static final Ruling NOTHING_TO_DO = new Ruling.Done(0);

    CommandContract(StoreContract door) {
        super(door);
    }

    private static Command resume(JobId id, long second) {
        return new Command.Resume(id, ACTOR, at(second));
    }

    private void assertRefused(JobId id, Command command) {
        Story before = story(id);
        assertThat(store.execute(command)).isEqualTo(new Ruling.WrongState(before.job().state()));
        assertThat(story(id)).isEqualTo(before);
    }

    private void assertNothingToDo(JobId id, Command command) {
        Story before = story(id);
        assertThat(store.execute(command)).isEqualTo(NOTHING_TO_DO);
        assertThat(story(id)).isEqualTo(before);
    }

    @Test
    void findsNoJobWithAnUnknownId() {
        JobId id = JobId.next();

        for (Command command : List.of(cancel(id, T0), pause(id), resume(id, 1),
                new Command.Retry(id, ACTOR, T0), delete(id))) {
            assertThat(store.execute(command)).isEqualTo(new Ruling.NotFound());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "SCHEDULED", "PAUSED"})
    void cancelsAJobThatWaits(JobState from) {
        Draft draft = Draft.of("mail");
        in(from, draft);
        int before = story(draft.id()).history().size();

        assertThat(store.execute(cancel(draft.id(), at(6).plusNanos(999_999)))).isEqualTo(new Ruling.Done(1));

        Story story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.CANCELLED);
        assertThat(story.job().reason()).contains("not needed");
        assertThat(story.job().endedAt()).contains(at(6));
        assertThat(story.job().dueAt()).isEmpty();
        assertThat(story.history()).hasSize(before + 1).endsWith(
                new HistoryEntry(from, JobState.CANCELLED, "not needed", ACTOR, at(6)));
        assertThat(claim(at(7200), 9, any("mail")).jobs()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"ASSIGNED", "RUNNING"})
    void marksAJobThatIsHeldAsCancelledAtOnce(JobState from) {
        Draft draft = Draft.of("mail");
        in(from, draft);

        assertThat(store.execute(cancel(draft.id(), at(6))))
                .isEqualTo(new Ruling.StillRunning(new Fence(job(draft.id()).seq(), 1, NODE)));

        Story story = story(draft.id());
        assertThat(story.job().state()).isEqualTo(JobState.CANCELLED);
        assertThat(story.job().reason()).contains("not needed");
        assertThat(story.attempts()).isEmpty();
        assertThat(story.history()).containsExactly(
                new HistoryEntry(from, JobState.CANCELLED, "not needed", ACTOR, at(6)));
        assertThat(ids(store.list(JobQuery.all().states(JobState.CANCELLED)))).containsExactly(draft.id());
        assertThat(store.list(JobQuery.all().states(from))).isEmpty();
    }

    @Test
    void cancelsAJobOnce() {
        JobId ended = cancelled(Draft.of("mail"), at(2));
        Draft draft = Draft.of("mail");
        running(draft);
        store.execute(cancel(draft.id(), at(6)));

        assertNothingToDo(ended, new Command.Cancel(ended, "again", "bob", at(7)));
        assertNothingToDo(draft.id(), new Command.Cancel(draft.id(), "again", "bob", at(7)));
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "FAILED"})
    void cancelsNothingThatHasEnded(JobState state) {
        JobId id = in(state, Draft.of("mail"));

        assertRefused(id, cancel(id, at(6)));
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "SCHEDULED"})
    void pausesAJobThatWaits(JobState from) {
        JobId id = in(from, Draft.of("mail"));
        var dueAt = job(id).dueAt();

        assertThat(store.execute(pause(id))).isEqualTo(new Ruling.Done(1));

        Story story = story(id);
        assertThat(story.job().state()).isEqualTo(JobState.PAUSED);
        assertThat(story.job().reason()).contains("too early");
        assertThat(story.job().dueAt()).as("keeps its time").isEqualTo(dueAt);
        assertThat(story.history()).containsExactly(
                new HistoryEntry(from, JobState.PAUSED, "too early", ACTOR, at(5)));
        assertNothingToDo(id, new Command.Pause(id, "again", "bob", at(6)));
    }

    @ParameterizedTest
    @EnumSource(names = {"ASSIGNED", "RUNNING", "WAITING", "COMPLETED", "FAILED", "CANCELLED"})
    void pausesAndResumesNothingElse(JobState state) {
        JobId id = in(state, Draft.of("mail"));

        assertRefused(id, pause(id));
        assertRefused(id, resume(id, 6));
    }

    @Test
    void resumesAPausedJob() {
        JobId id = in(JobState.PAUSED, Draft.of("mail"));

        assertThat(store.execute(resume(id, 6))).isEqualTo(new Ruling.Done(1));

        assertThat(job(id).state()).isEqualTo(JobState.QUEUED);
        assertThat(job(id).reason()).isEmpty();
        assertResumedTo(id, JobState.QUEUED);
        assertThat(ids(claim(at(7), 9, any("mail")))).containsExactly(id);
    }

    private void assertResumedTo(JobId id, JobState state) {
        HistoryEntry last = story(id).history().getLast();
        assertThat(last)
                .isEqualTo(new HistoryEntry(JobState.PAUSED, state, last.reason(), ACTOR, at(6)));
        assertThat(story(id).history()).hasSize(2);
    }

    @Test
    void resumesAPausedJobBeforeItsTimeAsScheduled() {
        JobId id = insert(Draft.of("mail").due(at(7)));
        store.execute(pause(id));

        assertThat(store.execute(resume(id, 6))).isEqualTo(new Ruling.Done(1));

        assertThat(job(id).state()).isEqualTo(JobState.SCHEDULED);
        assertThat(job(id).dueAt()).contains(at(7));
        assertThat(job(id).reason()).isEmpty();
        assertResumedTo(id, JobState.SCHEDULED);
        assertThat(claim(at(6), 9, any("mail")).nextDue()).isEqualTo(at(7));
        assertThat(ids(claim(at(7), 9, any("mail")))).containsExactly(id);
    }

    @Test
    void resumesAPausedJobWhoseTimeHasComeAsQueued() {
        JobId id = insert(Draft.of("mail").due(at(6)));
        store.execute(pause(id));

        assertThat(store.execute(resume(id, 6))).isEqualTo(new Ruling.Done(1));

        assertThat(job(id).state()).isEqualTo(JobState.QUEUED);
        assertThat(job(id).dueAt()).isEmpty();
        assertResumedTo(id, JobState.QUEUED);
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "SCHEDULED"})
    void resumesNothingThatWaitsAnyway(JobState state) {
        JobId id = in(state, Draft.of("mail"));

        assertNothingToDo(id, resume(id, 6));
    }

    @Test
    void pausesAndResumesAQueueWithOrWithoutJobs() {
        Command pause = new Command.PauseQueue("slow", ACTOR, at(1));
        Command resume = new Command.ResumeQueue("slow", ACTOR, at(2));

        assertThat(store.execute(resume)).isEqualTo(NOTHING_TO_DO);
        assertThat(store.execute(pause)).isEqualTo(new Ruling.Done(1));
        assertThat(store.execute(pause)).isEqualTo(NOTHING_TO_DO);
        assertThat(store.tally().pausedQueues()).containsExactly("slow");
        assertThat(store.execute(resume)).isEqualTo(new Ruling.Done(1));
        assertThat(store.execute(resume)).isEqualTo(NOTHING_TO_DO);
        assertThat(store.tally().pausedQueues()).isEmpty();
    }

    @Test
    void leavesTheJobsOfAPausedQueueAsTheyAre() {
        JobId id = insert(Draft.of("mail").queue("slow"));
        store.execute(new Command.PauseQueue("slow", ACTOR, at(1)));

        assertThat(job(id).state()).isEqualTo(JobState.QUEUED);
        assertThat(story(id).history()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "SCHEDULED", "PAUSED", "COMPLETED", "FAILED", "CANCELLED"})
    void deletesAJobThatNobodyHolds(JobState state) {
        JobId other = insert(Draft.of("fax"));
        JobId id = in(state, Draft.of("mail").key("key"));

        assertThat(store.execute(delete(id))).isEqualTo(new Ruling.Done(1));

        assertThat(store.find(id)).isEmpty();
        assertThat(store.story(id)).isEmpty();
        assertThat(ids(store.list(JobQuery.all()))).containsExactly(other);
        assertThat(claim(at(7200), 9, any("mail")).jobs()).isEmpty();
        assertThat(store.tally().dead()).isZero();
        assertThat(store.execute(delete(id))).isEqualTo(new Ruling.NotFound());
        JobId next = insert(Draft.of("mail").key("key"));
        assertThat(job(next).state()).as("its dedupe key is free").isEqualTo(JobState.QUEUED);
    }

    @ParameterizedTest
    @EnumSource(names = {"ASSIGNED", "RUNNING"})
    void deletesNothingThatANodeHolds(JobState state) {
        JobId id = in(state, Draft.of("mail"));
        assertRefused(id, delete(id));

        store.execute(cancel(id, at(6)));
        Story before = story(id);
        assertThat(store.execute(delete(id)))
                .isEqualTo(new Ruling.StillRunning(new Fence(before.job().seq(), 1, NODE)));
        assertThat(story(id)).isEqualTo(before);
    }

    private static Command delete(JobId id) {
        return new Command.Delete(id, ACTOR, at(8));
    }
}
