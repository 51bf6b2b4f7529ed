package dev.heddle.server;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.heddle.control.ControlJson;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.JobCounts;
import dev.heddle.testkit.fuzz.Fuzz;
import dev.heddle.testkit.fuzz.Inputs;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends JSON through the API, the store, a handler and back. It is refused and nothing changes, or its job completes
 * and both the payload and the result are what was sent.
 */
class PayloadFuzzTest {

    private static final List<String> SAMPLES = List.of(
            "{\"name\":\"x\",\"count\":1,\"price\":12.50,\"nested\":{\"list\":[1,2.5,null,true,\"é\"]}}",
            "[0.1,1e10,-7,123456789012345678901234567890]", "{\"a\":1,\"b\":{\"a\":2}}", "\"text\"");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's
    private Path directory;

    @Test
    void comesBackUnchangedOrIsRefused() throws Exception {
        Arbitrary<String> inputs = Arbitraries.oneOf(Inputs.json(), Inputs.mutated(SAMPLES));
        try (ServerFixture fixture = ServerFixture.open(SqliteStore.at(directory.resolve("jobs.db")),
                settings -> settings.longestWait(Duration.ofSeconds(30)))) {
            Fuzz.check(PayloadFuzzTest.class, Duration.ofSeconds(10), inputs,
                    json -> check(fixture, asSent(json.strip())));
        }
    }

    /** UTF-8 has no halves of surrogate pairs: the client sends something else for them. */
    private static String asSent(String json) {
        return new String(json.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private static void check(ServerFixture fixture, String json) {
        JobCounts before = fixture.pool.admin().countJobs();
        HttpResponse<String> answer = fixture.send("POST", "/api/v1/jobs",
                "{\"type\":\"echo\",\"payload\":" + json + "}");
        if (answer.statusCode() != 201) {
            assertThat(answer.statusCode()).isBetween(400, 499);
            assertThat(fixture.pool.admin().countJobs()).isEqualTo(before);
            return;
        }
        String id = ServerFixture.json(answer).path("jobs").path(0).path("id").asString();
        HttpResponse<String> ended = fixture.get("/api/v1/jobs/" + id + "/wait");
        assertThat(ended.statusCode()).as(ended.body()).isEqualTo(200);
        JsonNode job = ServerFixture.json(ended);
        JsonNode sent = ControlJson.tree(json);
        assertThat(job.path("job").path("state").asString()).as(ended.body()).isEqualTo("COMPLETED");
        assertThat(same(job.path("payload"), sent)).as("payload in %s", ended.body()).isTrue();
        // A result that is null counts as none.
        assertThat(sent.isNull() || same(job.path("result"), sent)).as("result in %s", ended.body()).isTrue();
    }

    /** Compares numbers by value: 1.0 may come back as 1.00, but not as 1.01. */
    private static boolean same(JsonNode a, JsonNode b) {
        return a.equals((x, y) -> x.isNumber() && y.isNumber() ? x.decimalValue().compareTo(y.decimalValue())
                : x.equals(y) ? 0 : 1, b);
    }
}
