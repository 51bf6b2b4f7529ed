package dev.heddle.testkit.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.schedule.Missed;
import dev.heddle.schedule.NoSuchScheduleException;
import dev.heddle.schedule.Overlap;
import dev.heddle.schedule.Schedule;
import dev.heddle.schedule.ScheduleRun;
import dev.heddle.schedule.ScheduleRun.Kind;
import dev.heddle.schedule.ScheduleState;
import dev.heddle.schedule.ScheduleStatus;
import dev.heddle.schedule.ScheduleStore;
import dev.heddle.schedule.Schedules;
import dev.heddle.schedule.Schedules.Backfill;
import dev.heddle.schedule.Schedules.Put;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Schedules: when they fire, what they do about missed and overlapping runs, and who may change them. */
abstract class ScheduleContract extends PoolFixture {

    private static final String NAME = "report";
    /** The clock starts at noon. */
    private static final String HOURLY = "0 * * * *";

    /** The times for which the handler ran, in the order of their starts. */
    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    ScheduleContract(PoolContract contract) {
        super(contract);
    }

    @AfterEach
    void letHandlersEnd() {
        mayEnd.countDown();
    }

    private PoolBuilder scheduling() {
        return steered(quick(Pool.on(newStoreWith(ScheduleStore.class)))).workers(8).pollEvery(Duration.ofMillis(20))
                .timeout(Duration.ofDays(1))
                .register(NOTE, (note, job) -> {
                    ran.add(String.valueOf(job.headers().get(Schedule.TIME_HEADER)));
                    if (note.text().equals("long")) {
                        while (mayEnd.getCount() > 0) {
                            job.sleep(Duration.ofMillis(5));
                        }
                    }
                    return note.text();
                });
    }

    private Schedules schedules() {
        return pool().schedules();
    }

    /** Runs do not wait for each other: the clock of these tests jumps, and a job takes real time. */
    private static Schedule schedule(String rule, String text) {
        return Schedule.of(NAME, rule, NOTE.with(new Note(text))).overlap(Overlap.ALLOW);
    }

    private ScheduleStatus status() {
        return schedules().find(NAME).orElseThrow();
    }

    private List<ScheduleRun> runs() {
        return schedules().runs(NAME, 100);
    }

    private List<Instant> times(Kind kind) {
        return runs().stream().filter(run -> run.kind() == kind).map(ScheduleRun::time).toList().reversed();
    }

    private JobId lastJob() {
        return Objects.requireNonNull(runs().getFirst().job(), "the last run has no job");
    }

    private static Instant at(String time) {
        return Instant.parse("2026-03-01T" + time + "Z");
    }

    private void passUntil(String time) {
        clock.advance(Duration.between(clock.instant(), at(time)));
    }

    private void awaitRuns(Kind kind, Instant... expected) {
        await().untilAsserted(() -> assertThat(times(kind)).containsExactly(expected));
    }

    @Test
    void submitsAJobWheneverItsTimeHasCome() {
        open(scheduling().schedule(schedule(HOURLY, "hello")));
        assertThat(status().nextAt()).isEqualTo(at("13:00:00"));
        passUntil("12:59:59");
        passUntil("13:00:00");
        awaitRuns(Kind.FIRED, at("13:00:00"));
        passUntil("14:00:00");
        awaitRuns(Kind.FIRED, at("13:00:00"), at("14:00:00"));

        await().untilAsserted(
                () -> assertThat(ran).containsExactly("2026-03-01T13:00:00Z", "2026-03-01T14:00:00Z"));
        assertThat(pool().find(lastJob()).orElseThrow().spec().headers()).containsEntry(Schedule.NAME_HEADER, NAME);
        assertThat(status().counts()).isEqualTo(new ScheduleStatus.Counts(2, 0, 0));
    }

    @Test
    void keepsTheOptionsOfTheJob() {
        open(scheduling().schedule(Schedule.of(NAME, HOURLY, NOTE.with(new Note("x")).queue("reports").priority(7)
                .tags("b", "a").subject("sales").maxRetries(1).timeout(Duration.ofMinutes(3)))));
        passUntil("13:00:00");
        await().until(() -> runs().size() == 1);

        var spec = pool().find(lastJob()).orElseThrow().spec();
        assertThat(spec.queue()).isEqualTo("reports");
        assertThat(spec.priority()).isEqualTo(7);
        assertThat(spec.tags()).containsExactlyInAnyOrder("a", "b");
        assertThat(spec.subject()).contains("sales");
        assertThat(spec.timeout()).contains(Duration.ofMinutes(3));
        assertThat(spec.extras().maxRetries()).isEqualTo(1);
    }

    @Test
    void makesOneRunForAllMissedOnes() {
        open(scheduling().schedule(schedule(HOURLY, "hello")));
        passUntil("17:30:00");

        awaitRuns(Kind.FIRED, at("17:00:00"));
        assertThat(status().counts()).isEqualTo(new ScheduleStatus.Counts(1, 4, 0));
        assertThat(status().nextAt()).isEqualTo(at("18:00:00"));
    }

    @Test
    void leavesMissedRunsOutIfAskedTo() {
        open(scheduling().schedule(schedule(HOURLY, "hello").missed(Missed.skip())));
        passUntil("17:00:30");

        awaitRuns(Kind.FIRED, at("17:00:00"));
        assertThat(status().counts()).isEqualTo(new ScheduleStatus.Counts(1, 4, 0));
    }

    @Test
    void catchesUpWithTheLastMissedRuns() {
        open(scheduling().schedule(schedule(HOURLY, "hello").missed(Missed.catchUp(3))));
        passUntil("17:30:00");

        awaitRuns(Kind.CAUGHT_UP, at("15:00:00"), at("16:00:00"), at("17:00:00"));
        await().until(() -> ran.size() == 3);
        assertThat(status().counts()).isEqualTo(new ScheduleStatus.Counts(3, 2, 0));
    }

    @Test
    void leavesOutARunWhileAnEarlierOneGoesOn() {
        open(scheduling().schedule(schedule(HOURLY, "long").overlap(Overlap.SKIP)));
        passUntil("13:00:00");
        await().until(() -> ran.size() == 1);
        passUntil("14:00:00");

        awaitRuns(Kind.SKIPPED, at("14:00:00"));
        assertThat(ran).hasSize(1);
        mayEnd.countDown();
        await().until(() -> pool().awaitIdle(LONG));
        passUntil("15:00:00");
        awaitRuns(Kind.FIRED, at("13:00:00"), at("15:00:00"));
    }

    @Test
    void runsBesideAnEarlierRunIfAllowed() {
        open(scheduling().schedule(schedule(HOURLY, "long")));
        passUntil("13:00:00");
        await().until(() -> ran.size() == 1);
        passUntil("14:00:00");

        await().until(() -> ran.size() == 2);
    }

    @Test
    void keepsOneRunWaitingForTheEarlierOne() {
        open(scheduling().schedule(schedule(HOURLY, "long").overlap(Overlap.QUEUE_ONE)));
        passUntil("13:00:00");
        await().until(() -> ran.size() == 1);
        passUntil("14:00:00");
        await().untilAsserted(() -> assertThat(status().waiting()).isEqualTo(at("14:00:00")));
        passUntil("15:00:00");
        awaitRuns(Kind.SKIPPED, at("15:00:00"));
        assertThat(ran).hasSize(1);

        mayEnd.countDown();
        await().until(() -> pool().awaitIdle(LONG));
        passUntil("15:00:05");
        awaitRuns(Kind.FIRED, at("13:00:00"), at("14:00:00"));
        assertThat(status().waiting()).isNull();
    }

    @Test
    void cancelsTheEarlierRunIfAskedTo() {
        open(scheduling().schedule(schedule(HOURLY, "long").overlap(Overlap.CANCEL_PREVIOUS)));
        passUntil("13:00:00");
        await().until(() -> ran.size() == 1);
        JobId first = lastJob();
        passUntil("14:00:00");

        await().until(() -> state(first) == JobState.CANCELLED);
        await().until(() -> {
            clock.advance(Duration.ofSeconds(1));
            return times(Kind.FIRED).size() == 2;
        });
        assertThat(times(Kind.FIRED)).containsExactly(at("13:00:00"), at("14:00:00"));
    }

    @Test
    void runsAtOnceIfTriggered() {
        open(scheduling().schedule(schedule(HOURLY, "long").overlap(Overlap.SKIP)));
        JobId first = schedules().trigger(NAME);
        JobId second = schedules().trigger(NAME);

        await().until(() -> ran.size() == 2);
        assertThat(runs()).extracting(ScheduleRun::job).containsExactlyInAnyOrder(first, second);
        assertThat(times(Kind.TRIGGERED)).containsExactly(at("12:00:00"), at("12:00:00.001"));
        passUntil("13:00:00");
        awaitRuns(Kind.SKIPPED, at("13:00:00"));
    }

    @Test
    void makesNoRunTwiceIfBackfilled() {
        open(scheduling().schedule(schedule(HOURLY, "hello")));
        passUntil("13:00:00");
        awaitRuns(Kind.FIRED, at("13:00:00"));

        assertThat(schedules().backfill(NAME, at("10:00:00"), at("13:00:00"))).isEqualTo(new Backfill(3, 1));
        assertThat(schedules().backfill(NAME, at("09:00:00"), at("13:00:00"))).isEqualTo(new Backfill(1, 4));
        assertThat(times(Kind.BACKFILLED)).containsExactly(at("09:00:00"), at("10:00:00"), at("11:00:00"),
                at("12:00:00"));
        await().until(() -> ran.size() == 5);
        passUntil("14:00:00");
        awaitRuns(Kind.FIRED, at("13:00:00"), at("14:00:00"));
    }

    @Test
    void refusesToBackfillTheFuture() {
        open(scheduling().schedule(schedule(HOURLY, "hello")));
        assertThatThrownBy(() -> schedules().backfill(NAME, at("12:00:00"), at("13:00:00")))
                .hasMessageContaining("is in the future");
        assertThatThrownBy(() -> schedules().backfill(NAME, at("11:00:00"), at("10:00:00")))
                .hasMessageContaining("is before the beginning");
        assertThatThrownBy(() -> schedules().backfill(NAME, Instant.EPOCH, at("10:00:00")))
                .hasMessageContaining("over 10000 runs");
        assertThat(runs()).isEmpty();
    }

    @Test
    void firesNothingWhilePausedAndGoesOnWithTheNextTime() {
        open(scheduling().schedule(schedule(HOURLY, "hello")));
        schedules().pause(NAME);
        passUntil("14:30:00");
        assertThat(status().state()).isEqualTo(ScheduleState.PAUSED);
        assertThat(status().nextAt()).isNull();
        schedules().resume(NAME);

        assertThat(status().nextAt()).isEqualTo(at("15:00:00"));
        passUntil("15:00:00");
        awaitRuns(Kind.FIRED, at("15:00:00"));
        assertThat(status().counts()).isEqualTo(new ScheduleStatus.Counts(1, 0, 0));
    }

    @Test
    void endsAfterItsRunsOrAtItsEndDate() {
        open(scheduling().schedule(schedule(HOURLY, "hello").runs(2)));
        schedules().put(
                Schedule.of("other", HOURLY, NOTE.with(new Note("x"))).overlap(Overlap.ALLOW).until(at("14:00:00")));
        passUntil("13:00:00");
        awaitRuns(Kind.FIRED, at("13:00:00"));
        passUntil("14:00:00");
        awaitRuns(Kind.FIRED, at("13:00:00"), at("14:00:00"));
        await().until(() -> schedules().find("other").orElseThrow().state() == ScheduleState.ENDED);

        assertThat(status().state()).isEqualTo(ScheduleState.ENDED);
        assertThatThrownBy(() -> schedules().resume(NAME)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it has ended");
    }

    @Test
    void startsLaterByTheSameJitterEverywhere() {
        open(scheduling().schedule(schedule(HOURLY, "hello").jitter(Duration.ofMinutes(10))));
        ScheduleStatus before = status();
        Instant nextAt = before.nextAt();
        assertThat(nextAt).isBetween(at("13:00:00"), at("13:10:00"));
        schedules().pause(NAME);
        schedules().resume(NAME);
        assertThat(status().nextAt()).isEqualTo(nextAt);

        clock.advance(Duration.between(clock.instant(), nextAt));
        awaitRuns(Kind.FIRED, at("13:00:00"));
    }

    @Test
    void keepsWhatCodePutWhateverOlderNodesPut() {
        open(scheduling());
        assertThat(schedules().put(schedule(HOURLY, "old"))).isEqualTo(Put.CREATED);
        assertThat(schedules().put(schedule(HOURLY, "old"))).isEqualTo(Put.UNCHANGED);
        assertThat(schedules().put(schedule("30 * * * *", "new"))).isEqualTo(Put.CHANGED);
        assertThat(schedules().put(schedule(HOURLY, "old"))).as("an older node").isEqualTo(Put.UNCHANGED);

        assertThat(status().definition().rule()).hasToString("30 * * * *");
        assertThat(status().nextAt()).isEqualTo(at("12:30:00"));
    }

    @Test
    void keepsTheEditOfAPersonUntilItIsReset() {
        open(scheduling().schedule(schedule(HOURLY, "code")));
        schedules().edit(schedule("15 * * * *", "person"), "ann");
        assertThat(schedules().put(schedule("45 * * * *", "newer code"))).isEqualTo(Put.OVERRIDDEN);

        assertThat(status().origin().editedBy()).isEqualTo("ann");
        assertThat(status().nextAt()).isEqualTo(at("12:15:00"));
        schedules().reset(NAME);
        assertThat(status().origin().editedBy()).isNull();
        assertThat(status().nextAt()).isEqualTo(at("12:45:00"));
    }

    @Test
    void cannotBeResetIfNoCodePutIt() {
        open(scheduling());
        schedules().edit(schedule(HOURLY, "person"), "ann");
        assertThat(status().origin().code()).isFalse();
        assertThatThrownBy(() -> schedules().reset(NAME)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no code has defined it");
    }

    @Test
    void repeatsNoTimeIfTheRuleChanges() {
        open(scheduling().schedule(schedule(HOURLY, "hello")));
        passUntil("13:00:00");
        awaitRuns(Kind.FIRED, at("13:00:00"));
        schedules().put(schedule("*/30 * * * *", "hello"));

        assertThat(status().nextAt()).isEqualTo(at("13:30:00"));
        assertThat(schedules().next(NAME, 3)).containsExactly(at("13:30:00"), at("14:00:00"), at("14:30:00"));
    }

    @Test
    void outlivesItsPool() {
        open(scheduling().schedule(schedule(HOURLY, "hello")));
        pool().close();
        clock.advance(Duration.ofMinutes(90));

        open(steered(builderAgain()).register(NOTE, (note, job) -> note.text()));
        awaitRuns(Kind.FIRED, at("13:00:00"));
    }

    @Test
    void canBeListedAndDeleted() {
        open(scheduling());
        for (String name : List.of("a", "b", "c")) {
            schedules().put(Schedule.of(name, HOURLY, NOTE.with(new Note(name))));
        }
        assertThat(schedules().list("", 2)).extracting(ScheduleStatus::name).containsExactly("a", "b");
        assertThat(schedules().list("b", 2)).extracting(ScheduleStatus::name).containsExactly("c");
        schedules().delete("b");
        assertThat(schedules().list("", 10)).extracting(ScheduleStatus::name).containsExactly("a", "c");
        assertThatThrownBy(() -> schedules().trigger("b")).isInstanceOf(NoSuchScheduleException.class)
                .hasMessageContaining("there is no schedule 'b'");
        assertThatThrownBy(() -> schedules().delete("b")).isInstanceOf(NoSuchScheduleException.class);
    }

    @Test
    void forgetsRunsOnlyAfterALongTime() {
        open(scheduling().schedule(schedule(HOURLY, "hello")));
        schedules().trigger(NAME);
        Instant now = clock.instant();
        pool().close();
        try (var store = openAgain()) {
            ScheduleStore runs = store.capability(ScheduleStore.class).orElseThrow();
            assertThat(runs.deleteRunsBefore(now, 10)).isZero();
            assertThat(runs.deleteRunsBefore(now.plusMillis(1), 10)).isEqualTo(1);
            assertThat(runs.runs(NAME, 10)).isEmpty();
        }
        pool = null;
    }
}
