package dev.heddle.control;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.LongStream;

import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.AffectedCount;
import dev.heddle.control.model.DeadLetterView;
import dev.heddle.control.model.ErrorDetail;
import dev.heddle.control.model.ErrorNote;
import dev.heddle.control.model.ErrorView;
import dev.heddle.control.model.StatsLine;
import dev.heddle.control.model.StatsPoint;
import dev.heddle.control.model.StatsSeries;
import dev.heddle.job.JobState;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a {@link Control} tells about what happened to jobs, and why they fail. */
abstract class StatsControlContract extends ScheduleControlContract {

    /** Nodes write what they have measured every second. */
    private static <T> T eventually(Callable<T> question, Predicate<T> answer) {
        return Awaitility.await().atMost(Duration.ofSeconds(60)).until(question, answer);
    }

    private StatsLine line(String type) {
        return control.stats().byType().stream().filter(line -> line.type().equals(type)).findFirst().orElseThrow();
    }

    @Test
    void countsJobsByTypeAndQueue() {
        String waits = submit("unknown");
        StatsLine line = line("unknown");
        assertThat(line.queue()).isEqualTo("default");
        assertThat(line.jobs()).containsOnly(Map.entry(JobState.QUEUED, 1L));
        assertThat(line.nextSince()).isEqualTo(control.job(waits).job().createdAt());
        submitDeadLetter();
        assertThat(line("fail").jobs()).containsOnly(Map.entry(JobState.FAILED, 1L));
        assertThat(line("fail").nextSince()).isNull();
    }

    @Test
    void measuresTheLastHourOfEachType() {
        control.await(submit("echo"), LONG);
        submitDeadLetter();
        eventually(() -> line("echo"), line -> line.completed() == 1);
        StatsLine failed = eventually(() -> line("fail"), line -> line.failed() == 1);
        assertThat(failed.dead()).isEqualTo(1);
        assertThat(failed.completed()).isZero();
        assertThat(failed.failedPerMinute()).isPositive();
        assertThat(line("echo").runTime().p95()).isPositive();
        assertThat(line("echo").waitTime().p50()).isLessThanOrEqualTo(line("echo").waitTime().p99());
    }

    @Test
    void returnsSeriesWithoutGaps() {
        control.await(submit("echo"), LONG);
        submitDeadLetter();
        StatsSeries all = eventually(() -> control.statsSeries(null, null, null),
                series -> series.total().completed() == 1 && series.total().failed() == 1);
        assertThat(all.window()).isEqualTo("1h");
        assertThat(all.points()).hasSize(60);
        assertThat(sum(all)).isEqualTo(1);
        for (int i = 1; i < 60; i++) {
            assertThat(Duration.between(all.points().get(i - 1).start(), all.points().get(i).start()))
                    .isEqualTo(all.slice());
        }
        assertThat(control.statsSeries("fail", "default", "24h").total().failed()).isEqualTo(1);
        assertThat(control.statsSeries("fail", null, "24h").points()).hasSize(96);
        assertThat(control.statsSeries("fail", null, "7d").points()).hasSize(84);
        assertThat(control.statsSeries("fail", "other", "7d").total().failed()).isZero();
        assertThat(assertRefused(Kind.INVALID, () -> control.statsSeries(null, null, "2h")))
                .hasMessage("unknown window '2h'; use 1h, 24h, 7d");
    }

    private static long sum(StatsSeries series) {
        return series.points().stream().flatMapToLong(point -> LongStream.of(point.completed())).sum();
    }

    @Test
    void groupsFailuresAndKeepsWhatPeopleKnowOfThem() {
        assertThat(control.errors(null, 10)).isEmpty();
        String first = submitDeadLetter();
        String last = submitDeadLetter();
        ErrorView error = eventually(() -> control.errors("fail", 10),
                errors -> errors.size() == 1 && errors.getFirst().failures() == 2).getFirst();
        assertThat(error.message()).isEqualTo("permanent for the test");
        assertThat(error.type()).isEqualTo("fail");
        assertThat(error.exception()).isEqualTo("dev.heddle.job.JobException");
        assertThat(error.frame()).contains("TestPool");
        assertThat(error.lastJob()).isEqualTo(last);
        assertThat(error.hours().stream().mapToLong(hour -> hour.failures()).sum()).isEqualTo(2);
        assertThat(control.errors("echo", 10)).isEmpty();

        String prefix = error.fingerprint().substring(0, 6);
        ErrorDetail detail = control.error(prefix, null, 1);
        assertThat(detail.deadLetters()).extracting(dead -> dead.job().id()).containsExactly(last);
        List<DeadLetterView> rest = control.error(prefix, detail.next(), 10).deadLetters();
        assertThat(rest).extracting(dead -> dead.job().id()).containsExactly(first);

        assertThat(control.describeError(prefix, new ErrorNote("known", "ann")).note()).isEqualTo("known");
        assertThat(control.describeError(prefix, new ErrorNote(null, " ")).assignee()).isNull();
        assertThat(control.error(prefix, null, 1).error().note()).isEqualTo("known");
        assertRefused(Kind.NOT_FOUND, () -> control.error("no-such", null, 10));
        assertRefused(Kind.INVALID, () -> control.describeError(prefix, new ErrorNote("x".repeat(20_000), null)));
    }

    @Test
    void retriesAndPurgesTheDeadLettersOfAGroup() {
        String one = submitDeadLetter();
        submitDeadLetter();
        String fingerprint = eventually(() -> control.errors(null, 10), errors -> errors.size() == 1).getFirst()
                .fingerprint();
        assertThat(control.retryErrors(fingerprint)).isEqualTo(new AffectedCount(2));
        assertThat(control.await(one, LONG).attempts()).hasSize(2);
        eventually(() -> control.stats().dead(), dead -> dead == 2);
        assertThat(control.purgeErrors(fingerprint)).isEqualTo(new AffectedCount(2));
        assertThat(control.stats().dead()).isZero();
        assertThat(control.purgeErrors(fingerprint)).isEqualTo(new AffectedCount(0));
        assertRefused(Kind.NOT_FOUND, () -> control.retryErrors("no-such"));
    }

    @Test
    void sumsAWindowInItsTotal() {
        control.await(submit("echo"), LONG);
        control.await(submit("echo"), LONG);
        StatsPoint total = eventually(() -> control.statsSeries("echo", null, "7d"),
                series -> series.total().completed() == 2).total();
        assertThat(total.runTime().p50()).isLessThanOrEqualTo(total.runTime().p99());
    }
}
