package dev.heddle.server;

import java.time.Duration;

import dev.heddle.control.ControlJson;
import dev.heddle.control.TestPool;
import dev.heddle.memory.MemoryStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MetricsTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void countsByTypeAndQueue() throws Exception {
        try (ServerFixture fixture = ServerFixture.open()) {
            fixture.pool.submit(TestPool.ECHO.with(ControlJson.tree("1")).queue("mail")).await(LONG);
            fixture.pool.submit(TestPool.FAIL, ControlJson.tree("1")).awaitEnd(LONG);
            fixture.pool.submit(TestPool.ECHO.with(ControlJson.tree("1")).queue("later").delay(Duration.ofHours(1)));
            fixture.pool.admin().pauseQueue("later");
            fixture.get("/api/v1/jobs/0123");

            // Workers count after the commit, so the metrics may lag behind the result.
            Awaitility.await().atMost(LONG).untilAsserted(() -> assertThat(fixture.get("/metrics").body()).contains(
                    "heddle_jobs_submitted_total{queue=\"mail\",type=\"echo\"} 1.0",
                    "heddle_jobs_ended_total{queue=\"mail\",state=\"completed\",type=\"echo\"} 1.0",
                    "heddle_jobs_ended_total{queue=\"default\",state=\"failed\",type=\"fail\"} 1.0",
                    "heddle_attempts_seconds_count{end=\"completed\",queue=\"mail\",type=\"echo\"} 1",
                    "heddle_attempts_seconds_bucket{end=\"failed\",queue=\"default\",type=\"fail\",le=\"3600.0\"} 1",
                    "heddle_jobs{queue=\"later\",state=\"scheduled\",type=\"echo\"} 1.0",
                    "heddle_queue_paused{queue=\"later\"} 1.0", "heddle_dead_letters 1.0",
                    "heddle_workers{group=\"default\",state=\"ready\"} 2.0", "heddle_event_readers 0.0",
                    "heddle_http_requests_seconds_count{method=\"GET\",route=\"/api/v1/jobs/{id}\",status=\"404\"} 1",
                    "jvm_memory_used_bytes{", "process_uptime_seconds "));
        }
    }

    @Test
    void isReadyWhileTheStoreAnswers() {
        MemoryStore store = new MemoryStore();
        try (ServerFixture fixture = ServerFixture.open(store, settings -> settings)) {
            assertThat(fixture.ask("GET", "/readyz", null).statusCode()).isEqualTo(200);
            store.close();
            Awaitility.await().atMost(LONG).until(() -> fixture.ask("GET", "/readyz", null).statusCode() == 503);
            assertThat(fixture.ask("GET", "/healthz", null).statusCode()).isEqualTo(200);
            assertThat(fixture.get("/api/v1/stats").statusCode()).isEqualTo(503);
        }
    }
}
