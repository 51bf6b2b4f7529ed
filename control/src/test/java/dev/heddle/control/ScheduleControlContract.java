package dev.heddle.control;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.BackfillDraft;
import dev.heddle.control.model.BackfillResult;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.JobView;
import dev.heddle.control.model.ScheduleDetail;
import dev.heddle.control.model.ScheduleDraft;
import dev.heddle.control.model.ScheduleView;
import dev.heddle.job.JobState;
import dev.heddle.schedule.Schedule;
import dev.heddle.schedule.ScheduleRun;
import dev.heddle.schedule.ScheduleState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What a {@link Control} does with schedules. */
abstract class ScheduleControlContract extends SteerControlContract {

    private static final String NAME = "nightly / ü";

    private static ScheduleDraft draft(String rule) {
        return new ScheduleDraft(NAME, rule, "Europe/Berlin", "catchUp(3)", "queueOne", Duration.ofMinutes(5), null, 10,
                JobDraft.of("echo", json("{\"n\": 1}")).queue("reports"), null);
    }

    @Test
    void createsAndShowsASchedule() {
        ScheduleView created = control.setSchedule(draft("0 2 * * *"));

        assertThat(created.name()).isEqualTo(NAME);
        assertThat(created.state()).isEqualTo(ScheduleState.ACTIVE);
        assertThat(created.inWords()).isEqualTo("at 02:00");
        assertThat(created.missed()).isEqualTo("catchUp(3)");
        assertThat(created.overlap()).isEqualTo("queueOne");
        assertThat(created.code()).isFalse();
        assertThat(created.editedBy()).isNotNull();
        ScheduleDetail detail = control.schedule(NAME);
        assertThat(detail.schedule()).isEqualTo(created);
        assertThat(detail.schedule().job().payload()).isEqualTo(json("{\"n\": 1}"));
        assertThat(detail.next()).hasSize(5);
        assertThat(detail.runs()).isEmpty();
        assertThat(control.scheduleTimes(NAME, 7)).hasSize(7).startsWith(detail.next().toArray(Instant[]::new));
        assertThat(control.schedules(null, 10).schedules()).singleElement()
                .satisfies(listed -> assertThat(listed.job().payload()).isNull());
    }

    @Test
    void listsSchedulesPageByPage() {
        for (String name : new String[]{"a", "b", "c"}) {
            control.setSchedule(new ScheduleDraft(name, "@daily", null, null, null, null, null, null,
                    JobDraft.of("echo", null), null));
        }
        var first = control.schedules(null, 2);
        assertThat(first.schedules()).extracting(ScheduleView::name).containsExactly("a", "b");
        var second = control.schedules(first.next(), 2);
        assertThat(second.schedules()).extracting(ScheduleView::name).containsExactly("c");
        assertThat(second.next()).isNull();
        assertRefused(Kind.INVALID, () -> control.schedules(null, 0));
    }

    @Test
    void changesAScheduleOnlyIfAskedTo() {
        control.setSchedule(draft("0 2 * * *"));
        assertThat(assertRefused(Kind.CONFLICT, () -> control.setSchedule(draft("0 3 * * *"))))
                .hasMessageContaining("exists already");
        ScheduleDraft changed = new ScheduleDraft(NAME, "0 3 * * *", null, null, null, null, null, null,
                JobDraft.of("echo", null), true);

        assertThat(control.setSchedule(changed).rule()).isEqualTo("0 3 * * *");
    }

    @Test
    void pausesResumesTriggersAndDeletesASchedule() {
        control.setSchedule(draft("0 2 * * *"));
        assertThat(control.pauseSchedule(NAME).state()).isEqualTo(ScheduleState.PAUSED);
        assertThat(control.resumeSchedule(NAME).state()).isEqualTo(ScheduleState.ACTIVE);
        JobView job = control.triggerSchedule(NAME);
        assertThat(job.queue()).isEqualTo("reports");
        assertThat(job.headers()).containsEntry(Schedule.NAME_HEADER, NAME);
        assertThat(control.await(job.id(), LONG).job().state()).isEqualTo(JobState.COMPLETED);
        assertThat(control.schedule(NAME).runs()).singleElement().satisfies(run -> {
            assertThat(run.job()).isEqualTo(job.id());
            assertThat(run.kind()).isEqualTo(ScheduleRun.Kind.TRIGGERED);
            assertThat(run.state()).isEqualTo(JobState.COMPLETED);
            assertThat(run.duration()).isNotNull();
        });
        assertThat(control.deleteSchedule(NAME).name()).isEqualTo(NAME);
        assertRefused(Kind.NOT_FOUND, () -> control.schedule(NAME));
        assertRefused(Kind.NOT_FOUND, () -> control.triggerSchedule(NAME));
        assertRefused(Kind.NOT_FOUND, () -> control.pauseSchedule(NAME));
    }

    @Test
    void backfillsASchedule() {
        control.setSchedule(draft("0 2 * * *"));
        BackfillDraft week = new BackfillDraft(Instant.parse("2026-01-01T00:00:00Z"),
                Instant.parse("2026-01-07T12:00:00Z"));

        assertThat(control.backfillSchedule(NAME, week)).isEqualTo(new BackfillResult(7, 0));
        assertThat(control.backfillSchedule(NAME, week)).isEqualTo(new BackfillResult(0, 7));
    }

    @Test
    void resetsOnlyWhatCodeHasDefined() {
        control.setSchedule(draft("0 2 * * *"));
        assertThat(assertRefused(Kind.CONFLICT, () -> control.resetSchedule(NAME)))
                .hasMessageContaining("no code has defined it");
        pool.schedules().put(Schedule.of(NAME, "0 4 * * *", TestPool.ECHO.with(json("{}"))));

        assertThat(control.resetSchedule(NAME).rule()).isEqualTo("0 4 * * *");
        assertThat(control.schedule(NAME).schedule().editedBy()).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 0 30 2 * | UTC        | it never fires
            0 2 * *    | UTC        | it has 4 fields
            every 0s   | UTC        | interval must be at least 1 s, in whole seconds: 0 ms
            */0 * * * *| UTC        | the step 0 must be from 1 to 59
            0 2 * * *  | ''         | unknown time zone ''
            0 2 * * *  | Mars/Dome  | unknown time zone 'Mars/Dome'
            """)
    void refusesAnInvalidSchedule(String rule, String zone, String reason) {
        ScheduleDraft invalid = new ScheduleDraft("x", rule, zone, null, null, null, null, null,
                JobDraft.of("echo", null), null);
        assertThat(assertRefused(Kind.INVALID, () -> control.setSchedule(invalid))).hasMessageContaining(reason);
        assertThat(control.schedules(null, 10).schedules()).isEmpty();
    }

    private static ScheduleDraft with(@Nullable String missed, @Nullable String overlap, @Nullable Duration jitter,
            @Nullable Instant until, @Nullable Integer runs) {
        return new ScheduleDraft("x", "0 2 * * *", null, missed, overlap, jitter, until, runs,
                JobDraft.of("echo", null), null);
    }

    @Test
    void refusesInvalidOptionsOfAScheduleAndChangesNothing() {
        Instant past = Instant.parse("2020-01-01T00:00:00Z");
        Map.of(with("never", null, null, null, null), "unknown policy for missed runs 'never'; expected skip, coalesce",
                with("catchUp(0)", null, null, null, null), "catchUp must be at least 1: 0",
                with(null, "maybe", null, null, null), "unknown policy for overlaps 'maybe'; expected allow, skip",
                with(null, null, Duration.ofHours(48), null, null), "jitter must be at most 1 day: 2d",
                with(null, null, Duration.ofHours(-1), null, null), "jitter must not be negative",
                with(null, null, null, past, null), "schedule 'x' would never run: its first run would be at ",
                with(null, null, null, null, 0), "runs must be at least 1: 0",
                with(null, null, null, null, -3), "runs must be at least 1: -3").forEach((draft, reason) -> {
                    assertThat(assertRefused(Kind.INVALID, () -> control.setSchedule(draft)))
                            .hasMessageContaining(reason).hasMessageNotContaining("\n");
                    assertThat(control.schedules(null, 10).schedules()).isEmpty();
                });
        assertThat(control.setSchedule(with(null, null, null, Instant.parse("2100-01-01T00:00:00Z"), 1)).zone())
                .isEqualTo("UTC");
    }

    @Test
    void refusesAJobThatNobodyMaySubmit() {
        ScheduleDraft reserved = new ScheduleDraft("x", "@daily", null, null, null, null, null, null,
                JobDraft.of("heddle-secret", null), null);
        assertRefused(Kind.DENIED, () -> control.setSchedule(reserved));
        ScheduleDraft withId = new ScheduleDraft("x", "@daily", null, null, null, null, null, null,
                JobDraft.of("echo", null).dedupeKey("k"), null);
        assertThat(assertRefused(Kind.INVALID, () -> control.setSchedule(withId)))
                .hasMessageContaining("cannot have a dedupe key");
    }
}
