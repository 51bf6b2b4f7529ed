package dev.heddle.cli.shell;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import dev.heddle.control.model.BatchView;
import dev.heddle.env.Environment;
import dev.heddle.job.JobState;
import dev.heddle.testkit.ManualClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BatchProgressTest {

    private static final Instant BEGUN = Instant.parse("2026-03-01T12:00:00Z");

    private final ManualClock clock = new ManualClock(BEGUN.plus(Duration.ofDays(1)));
    private final StringWriter said = new StringWriter();
    private final BatchProgress line = new BatchProgress(
            new CliOutput(new PrintWriter(said, true), new PrintWriter(said, true), Terminal.NONE),
            Environment.system().withClock(clock));

    private static BatchView batch(long done, long running, @Nullable String held) {
        return new BatchView("id", "docs", "batch:docs-1", JobState.WAITING, BEGUN, null, 100,
                Map.of(JobState.COMPLETED, done, JobState.RUNNING, running), new BigDecimal("1.2"), false, 7, 0, false,
                held, null);
    }

    @Test
    void printsALineEveryTenSecondsWithoutATerminal() {
        line.show(batch(40, 4, null));
        clock.advance(Duration.ofSeconds(9));
        line.show(batch(50, 4, null));
        assertThat(said.toString()).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        line.show(batch(60, 4, null));
        // 20 units in 10 s since the first call, however many ended before.
        assertThat(said.toString()).isEqualTo("heddle: 60 of 100 done, 4 running, 20s left, $1.20\n");
        clock.advance(Duration.ofSeconds(1));
        line.show(batch(60, 4, null));
        assertThat(said.toString()).hasLineCount(1);
    }

    @Test
    void estimatesTheSameIfTheClockIsSet() {
        line.show(batch(40, 4, null));
        clock.advance(Duration.ofSeconds(10));
        clock.jump(Duration.ofHours(-1));
        line.show(batch(60, 4, null));
        assertThat(said.toString()).isEqualTo("heddle: 60 of 100 done, 4 running, 20s left, $1.20\n");
    }

    @Test
    void reportsImmediatelyAndOnceThatTheBatchIsHeld() {
        line.show(batch(40, 0, null));
        clock.advance(Duration.ofSeconds(1));
        line.show(batch(40, 0, "$1 used of $1"));
        clock.advance(Duration.ofMinutes(1));
        line.show(batch(40, 0, "$1 used of $1"));
        assertThat(said.toString()).isEqualTo("heddle: 40 of 100 done, $1.20, held: $1 used of $1\n");
    }
}
