package dev.heddle.server;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import dev.heddle.control.ControlJson;
import dev.heddle.control.TestPool;
import dev.heddle.job.JobId;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.JobHandle;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive;
import dev.heddle.schedule.Schedule;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Compares the OpenAPI document with the served routes and with their responses. */
class OpenApiTest {

    private static final Path KEPT = Path.of("../docs/openapi.json");

    private static final String JOB_TOKEN = "hjt_of-a-job";
    private final CompletableFuture<JobId> ownJob = new CompletableFuture<>();
    private final ServerFixture fixture = ServerFixture.open(new MemoryStore(),
            builder -> builder.jobTokens(token -> token.equals(JOB_TOKEN)
                    ? Optional.of(ServerFixture.jobCaller(ownJob.join())) : Optional.empty()));
    private final JsonNode document = ServerFixture.json(fixture.get("/api/v1/openapi.json"));
    private final Set<String> asked = new TreeSet<>();

    @AfterEach
    void close() {
        fixture.close();
    }

    private Set<String> documented() {
        Set<String> operations = new TreeSet<>();
        document.get("paths").properties().forEach(path -> path.getValue().propertyNames()
                .forEach(method -> operations.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
        return operations;
    }

    @Test
    void documentsExactlyTheServedRoutes() {
        Set<String> served = fixture.server.endpoints().stream()
                .map(endpoint -> endpoint.replace('<', '{').replace('>', '}')).collect(Collectors.toSet());

        assertThat(served).hasSizeGreaterThan(25);
        assertThat(documented()).containsExactlyInAnyOrderElementsOf(served);
    }

    /** Makes every change of the API visible in review. */
    @Test
    void equalsTheDocumentInTheRepository() throws Exception {
        String now = ControlJson.pretty(document) + "\n";
        Files.writeString(Path.of("target/openapi.json"), now);

        assertThat(Files.readString(KEPT)).as("if the change is intended, run: cp server/target/openapi.json docs/")
                .isEqualTo(now);
    }

    @Test
    void describesTheResponsesOfAllRoutes() throws Exception {
        JobHandle<JsonNode> done = fixture.pool.submit(TestPool.ECHO.with(ControlJson.tree("{\"a\":[1,2.5,null]}"))
                .tags("t").subject("s").timeout(Duration.ofMinutes(1)));
        done.await(Duration.ofSeconds(30));
        String dead = fixture.pool.submit(TestPool.FAIL, ControlJson.tree("1")).id().toString();
        String worker = fixture.pool.admin().workers().getFirst().id();

        String idle = id(ask("POST", "/jobs", "{\"type\":\"idle\",\"payload\":{\"x\":1},\"queue\":\"q\",\"priority\":1,"
                + "\"delay\":\"PT1H\",\"maxRetries\":1,\"timeout\":\"PT1M\",\"session\":\"s\",\"subject\":\"s\","
                + "\"tags\":[\"a\"],\"dedupeKey\":\"k\",\"parent\":\"" + done.id() + "\"}"));
        ask("POST", "/jobs/bulk",
                "{\"jobs\":[{\"type\":\"idle\"},{\"type\":\"idle\",\"runAt\":\"2099-01-01T00:00:00Z\"}]}");
        ask("GET", "/jobs", null);
        ask("GET", "/short-ids?id=" + done.id(), null);
        ask("GET", "/jobs/" + done.id(), null);
        ask("GET", "/jobs/" + dead + "/wait?timeout=PT30S", null);
        ask("GET", "/jobs/" + dead + "/logs", null);
        ask("GET", "/jobs/" + dead + "/logs?attempt=1&stream=log,event&level=warn&text=perm&limit=5&timeout=PT0S",
                null);
        ask("GET", "/jobs/" + done.id() + "/why", null);
        ask("GET", "/jobs/" + done.id() + "/tree?generations=2&limit=10", null);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !fixture.pool.admin().errors(1).isEmpty());
        String error = "/errors/" + fixture.pool.admin().errors(1).getFirst().fingerprint().id();
        ask("GET", "/errors?limit=5", null);
        ask("POST", error, "{\"note\":\"known\",\"assignee\":\"ann\"}");
        ask("GET", error, null);
        ask("POST", error + "/retry", null);
        ask("GET", "/jobs/" + dead + "/wait", null);
        ask("GET", "/dead-letters", null);
        ask("GET", "/dead-letters/" + dead, null);
        ask("POST", "/dead-letters/" + dead + "/retry", null);
        ask("GET", "/jobs/" + dead + "/wait", null);
        ask("POST", "/jobs/" + dead + "/retry", null);
        ask("GET", "/jobs/" + dead + "/wait", null);
        ask("POST", "/dead-letters/retry", "{\"type\":\"fail\",\"limit\":5}");
        ask("POST", "/dead-letters/purge", "{}");
        ask("POST", "/jobs/" + idle + "/pause", "{\"reason\":\"later\"}");
        ask("POST", "/jobs/" + idle + "/resume", null);
        ask("POST", "/jobs/" + idle + "/reschedule", "{\"delay\":\"PT1H\"}");
        ask("POST", "/jobs/" + idle + "/run-now", null);
        ask("POST", "/jobs/" + idle + "/cancel", null);
        ask("DELETE", "/jobs/" + idle, null);
        ask("POST", "/queues/pause", "{\"queue\":\"q\"}");
        ask("GET", "/queues", null);
        ask("POST", "/queues/resume", "{\"queue\":\"q\"}");
        fixture.pool.session("ada").submit(TestPool.ECHO, ControlJson.tree("1")).await(Duration.ofSeconds(30));
        ask("GET", "/sessions", null);
        ask("POST", "/sessions/drop", "{\"session\":\"ada\"}");
        ask("GET", "/nodes", null);
        ask("GET", "/workers", null);
        ask("GET", "/workers/" + worker, null);
        ask("GET", "/workers/" + worker + "/log?offset=0&timeout=PT0S", null);
        ask("POST", "/workers/" + workerId(ask("POST", "/workers", null)) + "/stop", null);
        ask("POST", "/workers/" + workerId(ask("POST", "/workers", null)) + "/drain", null);
        ask("GET", "/jobs/" + done.id() + "/output", null);
        ask("GET", "/jobs/" + done.id() + "/conversation", null);
        ask("GET", "/jobs/" + done.id() + "/artifacts", null);
        Run run = new Run(done.id(), 1, "here:/", 0, new Run.Work("/src", "abc", "refs/heddle/x/1"), List.of(), false,
                new Run.Usage("claude", null, "s-1", 1, null, false));
        assertThat(fixture.pool.admin().capability(RunArchive.class).orElseThrow().save(run,
                RunArchive.Output.EMPTY)).isTrue();
        ask("GET", "/jobs/" + done.id() + "/diff?attempt=1", null);
        ask("POST", "/jobs/" + done.id() + "/resubmit", "{\"payload\":{\"a\":2}}");
        ask("POST", "/jobs/" + done.id() + "/continue", "{\"comment\":\"Go on.\"}");
        ask("GET", "/nodes/differences", null);
        ask("GET", "/nodes/" + fixture.pool.admin().nodeId(), null);
        ask("POST", "/budgets", "{\"scope\":\"type:echo\",\"measure\":\"usd/24h\",\"limit\":1.5}");
        ask("GET", "/budgets", null);
        ask("POST", "/budgets/remove", "{\"scope\":\"type:echo\",\"measure\":\"usd/24h\"}");
        ask("POST", "/limits", "{\"name\":\"one\",\"type\":\"echo\",\"key\":\"$.a\",\"maxConcurrent\":3,"
                + "\"rate\":5,\"per\":\"PT1M\",\"burst\":2,\"whenFull\":\"dropNew\"}");
        ask("GET", "/limits", null);
        ask("POST", "/limits/remove", "{\"name\":\"one\"}");
        ask("POST", "/schedules", "{\"name\":\"nightly\",\"rule\":\"0 2 * * *\",\"zone\":\"Europe/Berlin\","
                + "\"missed\":\"catchUp(3)\",\"overlap\":\"queueOne\",\"jitter\":\"PT1M\",\"runs\":9,"
                + "\"until\":\"2099-01-01T00:00:00Z\",\"job\":{\"type\":\"echo\",\"payload\":{\"x\":1}}}");
        ask("GET", "/schedules", null);
        ask("POST", "/schedules/nightly/trigger", null);
        ask("POST", "/schedules/nightly/backfill",
                "{\"from\":\"2026-01-01T00:00:00Z\",\"to\":\"2026-01-02T00:00:00Z\"}");
        ask("GET", "/schedules/nightly", null);
        ask("GET", "/schedules/nightly/next?limit=2", null);
        ask("POST", "/schedules/nightly/pause", null);
        ask("POST", "/schedules/nightly/resume", null);
        fixture.pool.schedules().put(Schedule.of("nightly", "@daily", TestPool.ECHO.with(ControlJson.tree("1"))));
        ask("POST", "/schedules/nightly/reset", null);
        ask("DELETE", "/schedules/nightly", null);
        String batch = id(
                ask("POST", "/jobs", "{\"type\":\"batch\",\"tags\":[\"heddle-batch\"],\"payload\":{\"name\":\"docs\","
                        + "\"type\":\"batch:docs\",\"definition\":\"\",\"directory\":\"/\",\"units\":1,\"unitsFile\":\"/\",\"tryFirst\":0}}"));
        fixture.pool.submit(TestPool.ECHO.with(ControlJson.tree("1")).parent(JobId.of(batch)));
        ask("GET", "/batches", null);
        ask("GET", "/batches/" + batch, null);
        ask("GET", "/batches/" + batch + "/units?limit=10", null);
        ask("POST", "/batches/" + batch + "/approve", null);
        ask("POST", "/batches/" + batch + "/retry", null);
        ask("GET", "/stats", null);
        ask("GET", "/audit?actor=node:token&limit=5", null);
        ask("GET", "/caller", null);
        ask("POST", "/tokens", "{\"name\":\"ci\",\"role\":\"viewer\",\"expiresIn\":\"P90D\"}");
        ask("GET", "/tokens", null);
        ask("POST", "/tokens/revoke", "{\"name\":\"ci\"}");
        ask("GET", "/stats/series?window=24h", null);
        ask("POST", error + "/purge", null);
        ownJob.complete(done.id());
        ask("GET", "/job", null);
        ask("POST", "/job/progress", "{\"current\":1,\"total\":2,\"message\":\"half\"}");
        ask("POST", "/job/children", "{\"type\":\"echo\"}");
        ask("POST", "/drain", "{\"atMost\":\"PT1M\"}");
        ask("POST", "/drain", null);
        assertThat(fixture.drains).containsExactly(Duration.ofMinutes(1), Duration.ofDays(36_500));

        Set<String> json = documented();
        json.removeIf(operation -> operation
                .matches(".*(/artifacts/.*|/events|/openapi.json|/metrics|/healthz|/readyz|/login|/logout)"));
        assertThat(asked).as("every route was requested").isEqualTo(json);
    }

    private static String workerId(JsonNode started) {
        return started.get("id").stringValue();
    }

    private static String id(JsonNode submitted) {
        return submitted.get("jobs").get(0).get("id").stringValue();
    }

    private JsonNode ask(String method, String path, @Nullable String body) {
        HttpResponse<String> answer = fixture.ask(method, "/api/v1" + path, body, "Authorization",
                "Bearer " + (path.matches("/job(/.*)?") ? JOB_TOKEN : fixture.server.token()));
        String template = template("/api/v1" + path.replaceAll("\\?.*", ""), method);
        asked.add(method + " " + template);
        JsonNode operation = document.get("paths").get(template).get(method.toLowerCase(Locale.ROOT));
        JsonNode described = operation.get("responses").get(Integer.toString(answer.statusCode()));
        assertThat(described).as(method + " " + path + ": " + answer.statusCode() + " " + answer.body()).isNotNull();
        JsonNode value = ServerFixture.json(answer);
        SchemaCheck check = new SchemaCheck(document);
        assertThat(check.faults(described.at("/content/application~1json/schema"), value)).as(path).isEmpty();
        if (body != null) {
            assertThat(
                    check.faults(operation.at("/requestBody/content/application~1json/schema"), ControlJson.tree(body)))
                    .as(path).isEmpty();
        }
        return value;
    }

    /**
     * Returns the template that the server matches: a fixed path before one with an id, and a longer one before a
     * shorter.
     */
    private String template(String path, String method) {
        return documented().stream().filter(operation -> operation.startsWith(method + " "))
                .map(operation -> operation.substring(method.length() + 1))
                .filter(template -> path
                        .matches(template.replaceAll("/(workers|schedules)/\\{id}", "/$1/.+").replaceAll("\\{id}", "[^/]+")
                                .replaceAll("\\{name}", ".+")))
                .min(Comparator.comparing((String template) -> template.contains("{"))
                        .thenComparing(Comparator.comparingInt(String::length).reversed()))
                .orElseThrow();
    }

    @Test
    void describesProblems() {
        HttpResponse<String> answer = fixture.get("/api/v1/jobs/nonsense");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(new SchemaCheck(document).faults(document.at("/components/schemas/Problem"),
                ServerFixture.json(answer))).isEmpty();
    }
}
