package dev.heddle.examples.reports;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Pool;
import dev.heddle.testkit.ManualClock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.heddle.examples.ExampleRunner.LONG;
import static org.assertj.core.api.Assertions.assertThat;

class NightlyReportTest {

    @TempDir
    private Path directory;

    /** On the night of the 29th of March, 02:30 does not exist in Berlin. */
    @Test
    void writesAReportForEveryDayAlsoForThoseThatWereMissed() {
        ManualClock clock = new ManualClock(Instant.parse("2026-03-27T12:00:00Z"));
        try (Pool _ = Pool.on(new MemoryStore()).clock(clock)
                .register(NightlyReport.REPORT, new NightlyReport(directory)).schedule(NightlyReport.schedule())
                .open()) {
            clock.advance(Duration.ofHours(14));
            awaitReports("sales-2026-03-27.txt");
            clock.advance(Duration.ofDays(3));
            awaitReports("sales-2026-03-27.txt", "sales-2026-03-28.txt", "sales-2026-03-29.txt",
                    "sales-2026-03-30.txt");
        }
    }

    private void awaitReports(String... names) {
        Awaitility.await().atMost(LONG).untilAsserted(
                () -> assertThat(directory.toFile().list()).containsExactlyInAnyOrder(names));
    }
}
