package dev.heddle.server;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;

import dev.heddle.control.ControlJson;
import dev.heddle.control.TestPool;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.JobHandle;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.testkit.StoreFaults;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code /readyz} and {@code /metrics} answer while the store is in trouble. */
class ReadinessTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final StoreFaults faults = new StoreFaults(new MemoryStore());

    private static void awaitReadiness(ServerFixture fixture, int status, String text) {
        Awaitility.await().atMost(LONG).untilAsserted(() -> {
            var answer = fixture.ask("GET", "/readyz", null);
            assertThat(answer.body()).contains(text);
            assertThat(answer.statusCode()).isEqualTo(status);
        });
    }

    @Test
    void isNotReadyWhileTheStoreRefusesWrites() {
        try (ServerFixture fixture = ServerFixture.open(faults.store(), settings -> settings)) {
            awaitReadiness(fixture, 200, "ready");
            faults.fail("renew");
            awaitReadiness(fixture, 503, "the store does not accept writes (UNREACHABLE)");
            faults.heal();
            awaitReadiness(fixture, 200, "ready");
        }
    }

    @Test
    void isNotReadyWhileResultsWaitToBeWritten() throws Exception {
        try (ServerFixture fixture = ServerFixture.open(faults.store(), settings -> settings)) {
            faults.fail("apply");
            JobHandle<?> handle = fixture.pool.submit(TestPool.ECHO, ControlJson.tree("1"));
            awaitReadiness(fixture, 503, "results have been waiting to be written");
            faults.heal();
            handle.await(LONG);
            awaitReadiness(fixture, 200, "ready");
        }
    }

    @Test
    void answersFromMemoryWhileTheStoreHangs() throws Exception {
        try (ServerFixture fixture = ServerFixture.open(faults.store(), settings -> settings)) {
            fixture.pool.submit(TestPool.ECHO.with(ControlJson.tree("1")).delay(Duration.ofHours(1)));
            String jobs = "heddle_jobs{queue=\"default\",state=\"scheduled\",type=\"echo\"} 1.0";
            assertThat(fixture.get("/metrics").body()).contains(jobs);
            faults.hang();
            assertThat(fixture.get("/metrics").body()).contains(jobs, "heddle_jobs_counted_age_seconds");
            awaitReadiness(fixture, 503, "the store does not answer");
            faults.heal();
            awaitReadiness(fixture, 200, "ready");
        }
    }

    @Test
    void isNotReadyWhileAnotherProgramLocksTheFile(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("jobs.db");
        try (ServerFixture fixture = ServerFixture.open(SqliteStore.at(file), settings -> settings)) {
            try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                    Statement statement = other.createStatement()) {
                statement.executeUpdate("BEGIN IMMEDIATE");
                awaitReadiness(fixture, 503, "the store does not");
            }
            awaitReadiness(fixture, 200, "ready");
            assertThat(fixture.pool.submit(TestPool.ECHO, ControlJson.tree("1")).await(LONG)).isNotNull();
        }
    }
}
