package dev.heddle.testkit.store;

import java.time.Duration;
import java.time.Instant;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobState;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.ClockedStore;
import dev.heddle.store.CommandResult;
import dev.heddle.store.JobQuery;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Commands that set when a waiting job may start. */
abstract class RescheduleContract extends StoreFixture {

    private static final CommandResult DONE = new CommandResult.Done(1);

    RescheduleContract(StoreContract contract) {
        super(contract);
    }

    private CommandResult start(JobId id, Start start) {
        return store.execute(new AdminCommand.Reschedule(id, start, ACTOR, at(6)));
    }

    private void assertNoted(JobId id, JobState from, JobState to, String reason) {
        assertThat(story(id).history().getLast()).isEqualTo(new HistoryEntry(from, to, reason, ACTOR, at(6)));
    }

    @ParameterizedTest
    @EnumSource(names = {"SCHEDULED", "PAUSED"})
    void runsAWaitingJobNow(JobState from) {
        JobId id = in(from, JobDraft.of("mail"));

        assertThat(start(id, new Start.AtOnce())).isEqualTo(DONE);

        assertThat(job(id).state()).isEqualTo(JobState.QUEUED);
        assertThat(job(id).dueAt()).isEmpty();
        assertThat(job(id).reason()).isEmpty();
        assertNoted(id, from, JobState.QUEUED, "told to run now");
        assertThat(ids(claim(T0, 9, any("mail")))).containsExactly(id);
    }

    @Test
    void changesNothingIfAQueuedJobIsToRunNow() {
        JobId id = insert(JobDraft.of("mail"));

        assertThat(start(id, new Start.AtOnce())).isEqualTo(new CommandResult.Done(0));
        assertThat(start(id, new Start.At(at(-5)))).isEqualTo(new CommandResult.Done(0));
        assertThat(story(id).history()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "SCHEDULED"})
    void postponesAJob(JobState from) {
        JobId id = in(from, JobDraft.of("mail"));

        assertThat(start(id, new Start.At(at(60).plusNanos(999_999)))).isEqualTo(DONE);

        assertThat(job(id).state()).isEqualTo(JobState.SCHEDULED);
        assertThat(job(id).dueAt()).contains(at(60));
        assertNoted(id, from, JobState.SCHEDULED, "rescheduled to run at " + at(60));
        assertThat(claim(at(59), 9, any("mail")).claims()).isEmpty();
        assertThat(ids(claim(at(60), 9, any("mail")))).containsExactly(id);
    }

    @Test
    void postponesAJobByADelayByTheClockOfTheStore() {
        JobId id = insert(JobDraft.of("mail").due(at(3600)));
        passUntil(at(6));

        assertThat(start(id, new Start.After(Duration.ofMinutes(1)))).isEqualTo(DONE);

        assertThat(job(id).dueAt()).contains(at(66));
        assertNoted(id, JobState.SCHEDULED, JobState.SCHEDULED, "rescheduled to run in 1m");
        assertThat(claim(at(65), 9, any("mail")).untilDue()).isEqualTo(Duration.ofSeconds(1));
        assertThat(ids(claim(at(66), 9, any("mail")))).containsExactly(id);
    }

    @Test
    void queuesAJobWhoseNewTimeIsPast() {
        JobId id = in(JobState.SCHEDULED, JobDraft.of("mail"));

        assertThat(start(id, new Start.At(at(-1)))).isEqualTo(DONE);
        assertThat(job(id).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void leavesAPausedJobPausedIfItGetsAnotherTime() {
        JobId id = in(JobState.PAUSED, JobDraft.of("mail"));

        assertThat(start(id, new Start.At(at(60)))).isEqualTo(DONE);

        assertThat(job(id).state()).isEqualTo(JobState.PAUSED);
        assertThat(job(id).dueAt()).contains(at(60));
        assertThat(job(id).reason()).contains("too early");
        assertNoted(id, JobState.PAUSED, JobState.PAUSED, "rescheduled to run at " + at(60));
        store.execute(new AdminCommand.Resume(id, ACTOR, at(7)));
        assertThat(job(id).state()).isEqualTo(JobState.SCHEDULED);
        assertThat(ids(claim(at(60), 9, any("mail")))).containsExactly(id);
    }

    /** A retry keeps what is known of the attempts before it. */
    @Test
    void runsARetryNow() {
        JobDraft draft = JobDraft.of("mail");
        applied(ended(running(draft), Attempt.End.FAILED, retry(at(600), "Retry 1/3")));

        assertThat(start(draft.id(), new Start.AtOnce())).isEqualTo(DONE);

        assertThat(job(draft.id()).counts().failures()).isEqualTo(1);
        assertThat(claimAgain(draft.id(), at(7)).attempt()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"ASSIGNED", "RUNNING", "WAITING", "COMPLETED", "FAILED", "CANCELLED"})
    void refusesAJobThatDoesNotWaitForATimeOrAWorker(JobState state) {
        JobId id = in(state, JobDraft.of("mail"));
        var before = story(id);

        for (Start start : new Start[]{new Start.AtOnce(), new Start.After(Duration.ZERO), new Start.At(Instant.MAX)}) {
            assertThat(start(id, start)).isEqualTo(new CommandResult.WrongState(state));
        }
        assertThat(story(id)).isEqualTo(before);
    }

    @Test
    void doesNotKnowAJobThatIsNotThere() {
        assertThat(start(JobId.next(), new Start.AtOnce())).isEqualTo(new CommandResult.NotFound());
        assertThat(store.list(JobQuery.all())).isEmpty();
    }

    /** A delay goes by whatever the clock of the node shows, and a time of day does not; see the clock contract. */
    @Test
    void countsAJobAsWaitingForTimeToPassOnlyAfterADelay() {
        JobId span = insert(JobDraft.of("mail"));
        start(span, new Start.After(Duration.ofSeconds(10)));
        JobId time = insert(JobDraft.of("fax").delay(Duration.ofSeconds(10)));
        start(time, new Start.At(at(10)));
        store.capability(ClockedStore.class).ifPresent(_ -> {
            clock.jump(Duration.ofHours(1));
            claim(clock.instant(), 1, any("none"));
            assertThat(job(span).dueAt()).contains(at(3610));
            assertThat(job(time).state()).isEqualTo(JobState.QUEUED);
        });
    }
}
