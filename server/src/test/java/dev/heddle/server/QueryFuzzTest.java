package dev.heddle.server;

import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import dev.heddle.control.ControlJson;
import dev.heddle.control.TestPool;
import dev.heddle.control.http.Endpoint;
import dev.heddle.control.http.Endpoints;
import dev.heddle.control.http.Parameter;
import dev.heddle.job.JobId;
import dev.heddle.memory.MemoryStore;
import dev.heddle.testkit.fuzz.Fuzz;
import dev.heddle.testkit.fuzz.Inputs;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Asks with slightly wrong query strings. A query is answered or refused (4xx); a list that is answered has only jobs
 * that match the query, and the cursor of its next page works.
 */
class QueryFuzzTest {

    private static final Map<String, String> VALUES = Map.of("state", "failed,completed", "type", "fail", "queue",
            "default", "subject", "s", "tag", "a", "limit", "2", "offset", "0", "timeout", "PT0.001S", "channel",
            "stdout", "attempt", "1");

    @Test
    void isAnsweredExactlyOrRefused() throws Exception {
        try (ServerFixture fixture = ServerFixture.open(new MemoryStore(), UnaryOperator.identity())) {
            for (int i = 0; i < 10; i++) {
                fixture.pool.submit((i % 2 == 0 ? TestPool.FAIL : TestPool.ECHO).with(ControlJson.tree("1"))
                        .subject("s").tags("a")).awaitEnd(Duration.ofSeconds(30));
            }
            JobId job = fixture.pool.submit(TestPool.ECHO, ControlJson.tree("1")).id();
            List<String> samples = Endpoints.all().stream()
                    .filter(endpoint -> endpoint.method() == Endpoint.Method.GET && !endpoint.parameters().isEmpty())
                    .map(QueryFuzzTest::sample).toList();
            Fuzz.check(QueryFuzzTest.class, Duration.ofSeconds(8), Inputs.mutated(samples),
                    input -> check(fixture,
                            "/" + sendable(input.replace("{id}", job.toString())).replaceFirst("^/+", "")));
        }
    }

    private static String sample(Endpoint<?> endpoint) {
        return Endpoints.BASE + endpoint.template() + "?" + endpoint.parameters().stream()
                .map(Parameter::name).filter(VALUES::containsKey).map(name -> name + "=" + VALUES.get(name))
                .collect(Collectors.joining("&"));
    }

    private static void check(ServerFixture fixture, String path) {
        HttpResponse<String> answer = fixture.get(path);
        assertThat(answer.statusCode()).isBetween(200, 499);
        boolean jobs = path.matches("/api/v1/jobs(\\?.*)?");
        if (answer.statusCode() != 200 || !(jobs || path.matches("/api/v1/dead-letters(\\?.*)?"))) {
            return;
        }
        Map<String, String> query = parameters(path);
        JsonNode page = ServerFixture.json(answer);
        for (JsonNode entry : page.path(jobs ? "jobs" : "deadLetters")) {
            JsonNode job = jobs ? entry : entry.path("job");
            for (String name : List.of("type", "queue", "subject")) {
                assertThat(job.path(name).asString(""))
                        .isEqualTo(query.getOrDefault(name, job.path(name).asString("")));
            }
        }
        if (page.hasNonNull("next")) {
            String next = path.replaceAll("[?&]cursor=[^&]*", "") + "&cursor=" + page.path("next").asString();
            assertThat(fixture.get(next).statusCode()).as(next).isEqualTo(200);
        }
    }

    private static Map<String, String> parameters(String path) {
        return path.indexOf('?') < 0 ? Map.of()
                : List.of(path.substring(path.indexOf('?') + 1).split("&")).stream().map(one -> one.split("=", 2))
                        .filter(one -> one.length == 2).collect(Collectors.toMap(one -> decoded(one[0]),
                                one -> decoded(one[1]), (a, b) -> Objects.equals(a, b) ? a : b));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** Escapes what the client would refuse to send. */
    private static String sendable(String path) {
        StringBuilder escaped = new StringBuilder();
        for (byte b : path.replaceAll("%(?![0-9a-fA-F]{2})", "%25").getBytes(StandardCharsets.UTF_8)) {
            escaped.append(Character.isLetterOrDigit(b) || "/?&=%-_.~,:;+".indexOf(b) >= 0 ? Character.toString(b)
                    : String.format("%%%02X", b));
        }
        return escaped.toString();
    }
}
