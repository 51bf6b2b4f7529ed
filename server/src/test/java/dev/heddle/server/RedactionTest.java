package dev.heddle.server;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import dev.heddle.access.Role;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlJson;
import dev.heddle.control.Redaction;
import dev.heddle.control.TestPool;
import dev.heddle.control.model.TokenDraft;
import dev.heddle.control.remote.RemoteControl;
import dev.heddle.job.JobId;
import dev.heddle.memory.MemoryStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Secrets in what the API shows. */
class RedactionTest {

    private final ServerFixture fixture = ServerFixture.open(new MemoryStore(), settings -> settings
            .redaction(Redaction.STANDARD.and(new Redaction(List.of(), List.of(), List.of("pin \\d+", "permanent")))));

    @AfterEach
    void close() {
        fixture.close();
    }

    private String submit(String type) {
        JsonNode submitted = ServerFixture.json(fixture.send("POST", "/api/v1/jobs", """
                {"type":"%s","payload":{"user":"ann","password":"hunter2","note":"pin 1234"},
                 "headers":{"authorization":"Bearer x","trace":"pin 1234"}}""".formatted(type)));
        String id = submitted.path("jobs").path(0).path("id").asString(submitted.path("id").asString());
        fixture.get("/api/v1/jobs/" + id + "/wait?timeout=PT30S");
        return id;
    }

    @Test
    void masksPayloadsResultsAndHeaders() {
        String id = submit("echo");
        String job = fixture.get("/api/v1/jobs/" + id).body();
        assertThat(job).doesNotContain("hunter2", "Bearer x", "1234").contains("\"user\":\"ann\"",
                "\"password\":\"•••\"", "\"authorization\":\"•••\"");
        assertThat(fixture.get("/api/v1/jobs").body()).doesNotContain("Bearer x", "1234");
        assertThat(fixture.pool.admin().find(JobId.of(id)).orElseThrow().spec().payload())
                .as("what is stored").contains("hunter2");
    }

    @Test
    void masksErrorsLogsAndEvents() throws Exception {
        try (SseReader reader = new SseReader(fixture.server, null, "?kind=ended")) {
            reader.next();
            String id = submit("fail");
            for (String path : List.of("/api/v1/jobs/" + id, "/api/v1/jobs/" + id + "/logs",
                    "/api/v1/dead-letters/" + id,
                    "/api/v1/dead-letters")) {
                assertThat(fixture.get(path).body()).as(path).doesNotContain("permanent for", "hunter2");
            }
            assertThat(Objects.requireNonNull(reader.next()).data()).contains("••• for the test");
        }
    }

    @Test
    void revealsValuesToWhoAsksForThem() {
        String id = submit("echo");
        assertThat(fixture.get("/api/v1/jobs/" + id + "?reveal=true").body()).contains("hunter2", "Bearer x");
        assertThat(fixture.get("/api/v1/jobs/" + id + "?reveal=false").body()).doesNotContain("hunter2");
        assertThat(fixture.get("/api/v1/jobs/" + id + "?reveal=yes").statusCode()).isEqualTo(400);
        RemoteControl control = RemoteControl.at(fixture.server.uri(), fixture.server.token());
        assertThat(control.job(id).payload().path("password").asString()).isEqualTo("•••");
        assertThat(control.revealing().job(id).payload().path("password").asString()).isEqualTo("hunter2");
    }

    @Test
    void revealsNothingToOperators() {
        String id = submit("echo");
        RemoteControl admin = RemoteControl.at(fixture.server.uri(), fixture.server.token());
        RemoteControl operator = RemoteControl.at(fixture.server.uri(),
                admin.createToken(new TokenDraft("ops", Role.OPERATOR.text(), null)).secret());
        assertThat(operator.job(id).payload().path("password").asString()).isEqualTo("•••");
        assertThatThrownBy(() -> operator.revealing().job(id)).isInstanceOf(ControlException.class)
                .hasMessageContaining("admin");
    }

    @Test
    void refusesAPayloadThatWasMasked() {
        var answer = fixture.send("POST", "/api/v1/jobs", "{\"type\":\"echo\",\"payload\":{\"password\":\"•••\"}}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("stands for a masked one");
    }

    @Test
    void handlersSeeEverything() throws Exception {
        assertThat(fixture.pool.submit(TestPool.ECHO, ControlJson.tree("{\"token\":\"x\"}"))
                .await(Duration.ofSeconds(30))).isEqualTo(ControlJson.tree("{\"token\":\"x\"}"));
    }
}
