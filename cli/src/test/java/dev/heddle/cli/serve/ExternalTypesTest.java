package dev.heddle.cli.serve;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.control.ControlJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static dev.heddle.cli.Cli.await;
import static org.assertj.core.api.Assertions.assertThat;

/** External workers from {@code heddle.yaml}, seen from the command line. */
@Timeout(300)
class ExternalTypesTest {

    private static final Path EMBED = Path.of("../sdk/python/embed.py").toAbsolutePath().normalize();

    @TempDir
    private Path directory;

    private Path home() {
        return directory.resolve(".heddle");
    }

    private Answer call(String... args) {
        return new Cli(Map.of("HEDDLE_HOME", home().toString())).call(args);
    }

    private JsonNode json(String... args) {
        Answer answer = call(args);
        assertThat(answer.exit()).as(answer.err()).isZero();
        return ControlJson.tree(answer.out());
    }

    private void configure(String external) throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"), "types: {embed: {external: " + external
                + ", workers: 2, affinity: strict_queue, health: {every: 100ms, answer: 1m}, env: {PYTHONDONTWRITEBYTECODE: '1'}}}\n");
    }

    /** Runs a job and returns how many texts the worker has seen in the session. */
    private int embed(String session) {
        return json("submit", "embed", "--payload", "{\"texts\": [\"warp and weft\"]}", "--session", session, "--wait",
                "-o", "json").at("/result/seenInSession").asInt();
    }

    /** Returns the worker of the session; missing if the session is lost. */
    private JsonNode workerOf(String session) {
        JsonNode sessions = json("session", "list", "-o", "json");
        assertThat(sessions.at("/0/session").asString()).isEqualTo(session);
        return sessions.at("/0/worker");
    }

    private String get(ServedNode node, String path) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(node.uri().resolve(path))
                    .header("Authorization", "Bearer " + Files.readString(home().resolve("token")).strip()).build(),
                    HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    @Test
    void keepsASessionOnItsWorkerUntilTheWorkerIsLost() throws Exception {
        configure("[python3, " + EMBED + "]");
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            for (int calls = 1; calls <= 3; calls++) {
                assertThat(embed("ada")).isEqualTo(calls);
            }
            String worker = workerOf("ada").asString();
            assertThat(call("session", "list").out()).contains("SESSION", "ada", worker);
            // The worker is ready only after it has stored the end of its job.
            await().untilAsserted(
                    () -> assertThat(call("worker", "list").out()).contains(worker, "embed", "READY", "HEALTHY"));
            await().until(() -> call("worker", "logs", worker).out().contains("model loaded"));

            await().until(() -> call("worker", "show", worker).out().lines()
                    .anyMatch(line -> line.matches("memory   [1-9]\\d* MB")));
            await().untilAsserted(() -> assertThat(call("worker", "show", worker).out()).contains("sessions 1",
                    "name     embedder", "INIT_COMPLETE", "CHECKIN"));
            long pid = json("worker", "show", worker, "-o", "json").at("/worker/facts/pid").asLong();
            ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            await().until(() -> !workerOf("ada").isString());
            assertThat(call("session", "list").out()).contains("LOST");

            assertThat(embed("ada")).as("new session").isEqualTo(1);
            // Another worker may have the session before there is a replacement. A health check may have met the
            // process that was being killed, and have sent the worker away first.
            await().untilAsserted(() -> assertThat(get(node, "/metrics")).containsPattern(
                    "heddle_worker_transitions_seconds_count\\{from=\"(ready|degraded|terminating)\",group=\"embed\","
                            + "reason=\"(process_exit|shutdown)\",to=\"terminated\"\\} 1")
                    .contains("heddle_worker_replacements_total{group=\"embed\"} 1",
                            "heddle_session_affinity_total{group=\"embed\",result=\"hit\"} 2",
                            "heddle_session_affinity_total{group=\"embed\",result=\"new\"} 2",
                            "heddle_worker_health_checks_seconds_count{group=\"embed\",result=\"passed\"}"));
            assertThat(workerOf("ada").asString()).isNotEqualTo(worker);
            assertThat(call("session", "drop", "ada").out()).isEqualTo("dropped ada\n");
            assertThat(call("session", "list").out()).doesNotContain("ada");
            Answer again = call("session", "drop", "ada");
            assertThat(again.exit()).isEqualTo(3);
            assertThat(again.err()).contains("session").hasLineCount(1);
            assertThat(embed("ada")).as("dropped").isEqualTo(1);

            long last = json("worker", "show", workerOf("ada").asString(), "-o", "json").at("/worker/facts/pid")
                    .asLong();
            node.signal("TERM");
            assertThat(node.exitCode()).isZero();
            await().untilAsserted(() -> assertThat(ProcessHandle.of(last)).as("the worker's process").isEmpty());
        }
    }

    @Test
    void stopsWorkersButNeverTheLast() throws Exception {
        configure("[python3, " + EMBED + "]");
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            assertThat(embed("ada")).isEqualTo(1);
            String worker = workerOf("ada").asString();
            String other = worker.endsWith("-1") ? "embed-2" : "embed-1";
            assertThat(call("worker", "drain", other).out()).contains("/" + other);
            await().until(() -> !call("worker", "list").out().contains("/" + other));
            Answer refused = call("worker", "stop", worker);
            assertThat(refused.exit()).isNotZero();
            assertThat(refused.err()).contains("'embed'").hasLineCount(1);
            assertThat(embed("ada")).isEqualTo(2);
            node.signal("TERM");
            assertThat(node.exitCode()).isZero();
        }
    }

    @Test
    void namesTheLineOfAMissingProgram() throws Exception {
        configure("[no-such-python, embed.py]");
        try (ServedNode node = ServedNode.start(home())) {
            assertThat(node.exitCode()).isEqualTo(3);
            assertThat(node.lines().getLast()).startsWith("heddle serve: ").contains("heddle.yaml:1: ",
                    "no-such-python");
        }
    }
}
