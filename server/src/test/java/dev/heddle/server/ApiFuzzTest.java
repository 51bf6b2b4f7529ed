package dev.heddle.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

import dev.heddle.control.ControlJson;
import dev.heddle.control.TestPool;
import dev.heddle.job.Job;
import dev.heddle.pool.Pool;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.JobCounts;
import dev.heddle.store.JobQuery;
import dev.heddle.testkit.fuzz.Fuzz;
import dev.heddle.testkit.fuzz.Inputs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends slightly wrong requests to every route. None causes an internal error (5xx), and a refused one (4xx) changes
 * nothing. An input is a request line without its version, then the body.
 */
class ApiFuzzTest {

    private static final List<String> BODIES = List.of(
            "{\"type\":\"idle\",\"payload\":{\"a\":[1,2.5,\"x\",null,true]},\"queue\":\"q\",\"priority\":3,"
                    + "\"delay\":\"PT1S\",\"maxRetries\":2,\"timeout\":\"PT1M\",\"session\":\"s\",\"subject\":\"d\","
                    + "\"tags\":[\"a\",\"b\"],\"dedupeKey\":\"k\",\"headers\":{\"h\":\"v\"}}",
            "{\"type\":\"idle\",\"runAt\":\"2099-01-01T00:00:00Z\"}",
            "{\"jobs\":[{\"type\":\"idle\"},{\"type\":\"idle\",\"payload\":7}]}", "{\"reason\":\"because\"}",
            "{\"queue\":\"mail\"}", "{\"states\":[\"FAILED\"],\"type\":\"fail\",\"limit\":1}", "{}", "");

    /** How often a refused request is followed by a comparison of all jobs, not only of their counts. */
    private static final int COMPARE_EVERY = 25;

    private final Map<Integer, Integer> statuses = new TreeMap<>();
    private JobCounts counts = new JobCounts(List.of(), 0, Set.of());
    private List<Job> jobs = List.of();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's
    private Path directory;

    @Test
    void neverFailsInternallyAndChangesNothingOnRefusal() throws Exception {
        Path file = directory.resolve("jobs.db");
        try (Pool pool = new TestPool().on(SqliteStore.at(file)).open()) {
            for (int i = 0; i < 10; i++) {
                pool.submit(TestPool.FAIL, ControlJson.tree("1")).awaitEnd(Duration.ofSeconds(30));
            }
        }
        // This pool has no handlers: only requests change jobs.
        try (Pool pool = Pool.on(SqliteStore.at(file)).open();
                HeddleServer server = HeddleServer.on(pool).port(0).bodyLimits(8_000, 16_000)
                        .longestWait(Duration.ofMillis(5)).start()) {
            RawConnection wire = new RawConnection(server);
            remember(pool);
            check(pool, wire, request("POST /api/v1/jobs\n" + BODIES.getFirst(), server.token()));
            Fuzz.check(ApiFuzzTest.class, Duration.ofSeconds(12), Inputs.mutated(samples(server)),
                    input -> check(pool, wire, request(input, server.token())));
        }
        System.out.println("ApiFuzzTest: answers by status " + statuses);
        assertThat(statuses.keySet()).as("both valid and invalid requests were sent").contains(201, 400);
    }

    private static List<String> samples(HeddleServer server) {
        return server.endpoints().stream().filter(route -> !route.endsWith("/events"))
                .flatMap(route -> BODIES.stream().map(body -> route.replace("<id>", "{id}") + "\n" + body)).toList();
    }

    private void check(Pool pool, RawConnection wire, String request) throws IOException {
        int status = wire.status(request);
        int count = statuses.merge(status, 1, Integer::sum);
        assertThat(status).isBetween(200, 499);
        if (status < 400) {
            remember(pool);
            return;
        }
        assertThat(pool.admin().countJobs()).isEqualTo(counts);
        if (count % COMPARE_EVERY == 0) {
            assertThat(jobs(pool)).isEqualTo(jobs);
        }
    }

    private void remember(Pool pool) {
        counts = pool.admin().countJobs();
        jobs = jobs(pool);
    }

    private static List<Job> jobs(Pool pool) {
        return pool.admin().list(JobQuery.all().limit(200));
    }

    /** Returns the request, one byte per character. An id in its path is that of a job, or of none. */
    private String request(String input, String token) {
        String line = input.lines().findFirst().orElse("");
        byte[] body = input.substring(Math.min(input.length(), line.length() + 1)).getBytes(StandardCharsets.UTF_8);
        int space = Math.max(0, line.indexOf(' '));
        String method = line.substring(0, space).replaceAll("[^A-Z]", "");
        String id = jobs.isEmpty() || body.length % 7 == 0 ? UUID.randomUUID().toString()
                : jobs.get(body.length % jobs.size()).id().toString();
        String path = line.substring(space).strip().replace("{id}", id);
        return (method.isEmpty() ? "X" : method) + " /" + escaped(path.replaceFirst("^/", "")) + " HTTP/1.1\r\n"
                + "Host: localhost\r\nAuthorization: Bearer " + token + "\r\n"
                + (body.length % 31 == 0 ? "" : "Content-Type: application/json\r\n") + "Content-Length: "
                + body.length + "\r\n\r\n" + new String(body, StandardCharsets.ISO_8859_1);
    }

    /** Escapes what would end the path; broken escapes and other odd characters stay. */
    private static String escaped(String path) {
        StringBuilder escaped = new StringBuilder();
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            escaped.append(b <= ' ' ? String.format("%%%02x", b) : Character.toString(b));
        }
        return escaped.toString();
    }
}
