package dev.heddle.server;

import dev.heddle.control.model.BulkAction;
import java.util.Map;
import org.awaitility.Awaitility;
import dev.heddle.control.model.BulkDraft;
import dev.heddle.control.model.ViewDraft;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import dev.heddle.control.Control;
import dev.heddle.control.ControlJson;
import dev.heddle.control.TestPool;
import dev.heddle.control.local.LocalControl;
import dev.heddle.control.model.BudgetDraft;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.LimitDraft;
import dev.heddle.control.model.ScheduleDraft;
import dev.heddle.control.model.TokenDraft;
import dev.heddle.job.JobId;
import dev.heddle.memory.MemoryStore;
import dev.heddle.schedule.Schedule;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Sends every documented example to a server, and compares the responses with the document. */
class OpenApiExamplesTest {

    private static final JsonNode DOCUMENT = document();
    private static final String JOB_TOKEN = "hjt_of-a-job";
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String IDS = "01a1f653-7b47-7000-9386-00000000000";

    /** These need an agent, a worktree, or an operation that lasts; other tests send them. */
    private static final Set<String> NOT_SENT = Set.of("jobDiff", "continueJob", "cancelBulk");

    /** An operation of the document. */
    record Operation(String method, String path, JsonNode description) {
        @Override
        public String toString() {
            return description.path("operationId").stringValue("");
        }

        JsonNode success() {
            return description.get("responses").properties().iterator().next().getValue();
        }

        int status() {
            return Integer.parseInt(description.get("responses").propertyNames().iterator().next());
        }
    }

    private static JsonNode document() {
        return ControlJson.tree(ControlJson.write(OpenApi.document()));
    }

    private static List<Operation> all() {
        List<Operation> operations = new ArrayList<>();
        DOCUMENT.get("paths").properties().forEach(path -> path.getValue().properties().forEach(method -> operations
                .add(new Operation(method.getKey().toUpperCase(Locale.ROOT), path.getKey(), method.getValue()))));
        return operations;
    }

    private static Stream<Operation> withJson() {
        return all().stream().filter(operation -> !NOT_SENT.contains(operation.toString())).filter(operation -> operation.success().at("/content/application~1json/schema").isObject()
                && operation.success().at("/content/application~1json/schema").size() > 0);
    }

    @Test
    void everyOperationHasANameOfItsOwn() {
        Set<String> names = new HashSet<>();
        assertThat(all()).allMatch(operation -> names.add(operation.toString()))
                .noneMatch(operation -> operation.toString().isEmpty())
                .allMatch(operation -> operation.description.has("summary"));
        assertThat(names).contains("submit", "cancelJob", "events").hasSizeGreaterThan(60);
    }

    @ParameterizedTest
    @MethodSource("withJson")
    void theExampleGetsTheDocumentedResponse(Operation operation) throws Exception {
        try (ServerFixture fixture = ServerFixture.open(new MemoryStore(),
                builder -> builder.jobTokens(token -> token.equals(JOB_TOKEN)
                        ? Optional.of(ServerFixture.jobCaller(JobId.of(IDS + 1))) : Optional.empty()))) {
            Map<String, String> ids = prepare(fixture);
            JsonNode body = operation.description.at("/requestBody/content/application~1json/example");
            if (operation.description.at("/requestBody/required").booleanValue(false)) {
                assertThat(body.isMissingNode()).as("openapi-examples.json has an example").isFalse();
            }

            HttpResponse<String> answer = fixture.ask(operation.method, target(operation, ids),
                    body.isMissingNode() ? null : body.toString(), "Authorization",
                    "Bearer " + (operation.path.matches("/api/v1/job(/.*)?") ? JOB_TOKEN : fixture.server.token()));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(operation.status());
            assertThat(new SchemaCheck(DOCUMENT).faults(operation.success().at("/content/application~1json/schema"),
                    ServerFixture.json(answer))).isEmpty();
        }
    }

    /** Returns the path and the query of the example, with the ids that no client can choose as they are here. */
    private static String target(Operation operation, Map<String, String> ids) {
        String path = operation.path;
        List<String> query = new ArrayList<>();
        for (JsonNode parameter : operation.description.path("parameters")) {
            @Nullable String value = parameter.path("example").stringValue(null);
            boolean inPath = parameter.get("in").stringValue().equals("path");
            assertThat(inPath && value == null).as("openapi-examples.json has an id").isFalse();
            if (inPath) {
                path = path.replace("{" + parameter.get("name").stringValue() + "}",
                        ids.getOrDefault(operation.path.split("/", -1)[3], String.valueOf(value)));
            } else if (value != null) {
                query.add(parameter.get("name").stringValue() + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
            }
        }
        return path + (query.isEmpty() ? "" : "?" + String.join("&", query));
    }

    /** Creates what the examples are about. */
    private static Map<String, String> prepare(ServerFixture fixture) throws Exception {
        Control control = LocalControl.on(fixture.pool);
        JsonNode payload = ControlJson.tree("{\"order\":17}");
        control.submit(List.of(JobDraft.of("echo", payload).id(IDS + 1).session("customer-17"),
                JobDraft.of("fail", payload).id(IDS + 2),
                JobDraft.of("echo", payload).id(IDS + 3).delay(Duration.ofHours(1)),
                JobDraft.of("echo", payload).id(IDS + 4).delay(Duration.ofHours(1)),
                JobDraft.of("batch", ControlJson.tree("""
                        {"name": "reviews", "type": "batch:reviews", "definition": "", "directory": "/", "units": 1,
                         "unitsFile": "/", "tryFirst": 0}""")).id(IDS + 5).tags(Set.of("heddle-batch"))
                        .subject("reviews")));
        fixture.pool.submit(TestPool.FAIL.with(payload).parent(JobId.of(IDS + 5))).awaitEnd(LONG);
        control.pause(IDS + 4, "");
        control.createToken(new TokenDraft("grafana", "viewer", null));
        control.setBudget(new BudgetDraft("pool", "usd/24h", BigDecimal.TEN));
        control.setLimit(new LimitDraft("one-at-a-time", "mail", null, null, null, 1, null, null, null, null));
        fixture.pool.schedules().put(Schedule.of("nightly", "@daily", TestPool.ECHO.with(payload)));
        control.setSchedule(new ScheduleDraft("nightly", "0 2 * * *", null, null, null, null, null, null,
                JobDraft.of("echo", payload), true));
        for (int ended : new int[]{1, 2}) {
            control.await(IDS + ended, LONG);
        }
        control.saveView(new ViewDraft("failed-mail", "state:failed type:mail"));
        String bulk = String.valueOf(control.startBulk(new BulkDraft(BulkAction.CANCEL, "type:none", false, null, null, null)).id());
        Awaitility.await().atMost(LONG).until(() -> !control.errors(null, 1).isEmpty());
        return Map.of("bulk", bulk, "errors", control.errors(null, 1).getFirst().fingerprint(), "nodes",
                fixture.pool.admin().nodeId());
    }
}
