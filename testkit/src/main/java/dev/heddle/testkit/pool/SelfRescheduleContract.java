package dev.heddle.testkit.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.heddle.job.Attempt;
import dev.heddle.job.Children;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobState;
import dev.heddle.job.TwoPhaseHandler;
import dev.heddle.pool.JobHandle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Jobs that reschedule themselves, and waiting jobs that are rescheduled by a person. */
abstract class SelfRescheduleContract extends PoolFixture {

    private final List<String> runs = new CopyOnWriteArrayList<>();

    SelfRescheduleContract(PoolContract contract) {
        super(contract);
    }

    @Test
    void runsAgainWithCarriedDataUntilItsHandlerEndsIt() {
        open(builder().register(NOTE, (note, job) -> {
            int page = job.checkpoint(Integer.class).orElse(1);
            job.step("read", () -> runs.add(note.text() + " page " + page));
            if (page < 3) {
                job.rescheduleIn(Duration.ofMillis(1), page + 1);
                return "ignored";
            }
            return "done";
        }));

        JobHandle<String> handle = submit("feed");

        assertThat(end(handle).result(NOTE)).contains("done");
        assertThat(runs).containsExactly("feed page 1", "feed page 2", "feed page 3");
        assertThat(pool().admin().details(handle.id()).orElseThrow().attempts()).extracting(Attempt::end)
                .containsExactly(Attempt.End.RESCHEDULED, Attempt.End.RESCHEDULED, Attempt.End.COMPLETED);
    }

    @Test
    void waitsUntilTheTimeThatItChose() {
        Instant time = clock.instant().plusSeconds(60);
        open(steered(builder()).register(NOTE, (note, job) -> {
            runs.add("attempt " + job.attempt());
            if (job.attempt() == 1) {
                job.rescheduleIn(Duration.ofDays(1), "replaced by the next call");
                job.rescheduleAt(time);
            }
            return job.checkpoint(String.class).orElse("nothing carried");
        }));
        JobHandle<String> handle = submit("x");
        await().until(() -> state(handle) == JobState.SCHEDULED);
        assertThat(handle.job().orElseThrow().dueAt()).contains(time);

        clock.advance(Duration.ofSeconds(60));

        assertThat(end(handle).result(NOTE)).contains("nothing carried");
        assertThat(runs).containsExactly("attempt 1", "attempt 2");
    }

    @Test
    void failsLikeAnyOtherAttemptIfTheHandlerThrowsAfterAll() {
        open(builder().register(NOTE, (note, job) -> {
            if (job.attempt() == 1) {
                job.rescheduleIn(Duration.ofDays(1), "lost");
                throw JobException.transientFailure("after all");
            }
            return job.checkpoint(String.class).orElse("nothing carried");
        }));

        JobHandle<String> handle = submit("x");

        assertThat(end(handle).result(NOTE)).contains("nothing carried");
        assertThat(handle.job().orElseThrow().counts().failures()).isEqualTo(1);
    }

    @Test
    void refusesWhatItCannotKeep() {
        open(builder().payloadLimit(50).register(NOTE, (note, job) -> {
            switch (note.text()) {
                case "large" -> job.rescheduleIn(Duration.ZERO, "x".repeat(100));
                case "past" -> job.rescheduleIn(Duration.ofSeconds(-1));
                default -> job.rescheduleAt(Instant.MAX);
            }
            return "";
        }));

        assertThat(failure("large")).contains("data for the next run of job").contains("102 bytes").contains("50");
        assertThat(failure("past")).contains("delay must not be negative: PT-1S");
        assertThat(failure("far")).contains("time must be from 1970");
    }

    private String failure(String text) {
        return end(submit(text)).failure().orElseThrow().message();
    }

    @Test
    void refusesAJobThatHasTwoPhases() {
        open(builder().register(NOTE, new TwoPhaseHandler<Note, String>() {
            @Override
            public void ingest(Note note, JobContext job) {
                job.rescheduleIn(Duration.ZERO);
            }

            @Override
            public @Nullable String aggregate(Note note, Children children, JobContext job) {
                return null;
            }
        }));

        JobHandle<String> handle = submit("x");

        assertThat(end(handle).reason()).contains("Permanent failure: job " + handle.id()
                + " cannot reschedule itself, because it has two phases");
    }

    @Test
    void runsAWaitingJobNowOrLater() {
        open(steered(builder()).register(NOTE, (note, job) -> ""));
        JobHandle<String> now = pool().submit(NOTE.with(new Note("now")).delay(Duration.ofHours(1)));
        JobHandle<String> later = pool().submit(NOTE.with(new Note("later")).delay(Duration.ofHours(1)));

        pool().admin().runNow(now.id());
        pool().admin().reschedule(later.id(), Duration.ofMinutes(1));

        assertThat(end(now).state()).isEqualTo(JobState.COMPLETED);
        assertThat(state(later)).isEqualTo(JobState.SCHEDULED);
        clock.advance(Duration.ofMinutes(1));
        assertThat(end(later).state()).isEqualTo(JobState.COMPLETED);
    }
}
