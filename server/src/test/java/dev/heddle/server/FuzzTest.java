package dev.heddle.server;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;

import dev.heddle.control.ControlJson;
import dev.heddle.control.TestPool;
import dev.heddle.job.Job;
import dev.heddle.pool.Pool;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.JobCounts;
import dev.heddle.store.JobQuery;
import dev.heddle.testkit.Torture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends random and slightly wrong requests to every route. None may cause an internal error (5xx), and refused ones
 * (4xx) must not change anything.
 */
class FuzzTest {

    private static final List<String> BODIES = List.of(
            "{\"type\":\"idle\",\"payload\":{\"a\":[1,2.5,\"x\",null,true]},\"queue\":\"q\",\"priority\":3,"
                    + "\"delay\":\"PT1S\",\"maxRetries\":2,\"timeout\":\"PT1M\",\"session\":\"s\",\"subject\":\"d\","
                    + "\"tags\":[\"a\",\"b\"],\"dedupeKey\":\"k\"}",
            "{\"type\":\"idle\",\"runAt\":\"2099-01-01T00:00:00Z\"}",
            "{\"jobs\":[{\"type\":\"idle\"},{\"type\":\"idle\",\"payload\":7}]}", "{\"reason\":\"because\"}",
            "{\"queue\":\"mail\"}", "{\"states\":[\"FAILED\"],\"type\":\"fail\",\"limit\":1}", "{}", "");

    private static final List<String> SPICE = List.of("null", "true", "-1", "0", "99999999999999999999", "1e400",
            "-0.0", "\"\"", "\"\\u0000\"", "\"\\ud800\"", "\"\uFFFF\"", "[]", "{}", "[[[[", "}}", "\"", "\\", ",", ":",
            "PT-1S", "P99999999999D", "+1000000000-12-31T23:59:59Z", "1969-12-31T23:59:59.999Z", "NaN", "Infinity",
            "/*x*/", "'x'", "\"FAILED\"", "\"type\":\"idle\"", "\u0000", "é", "\"x\":1", "[".repeat(3_000),
            "\"" + "y".repeat(300) + "\"", "\r\n", "9223372036854775807", "2147483648");

    private static final List<String> QUERIES = List.of("state", "type", "queue", "subject", "tag", "parent", "cursor",
            "limit", "timeout", "code", "nonsense", "");

    private final Random random = Torture.random("FuzzTest");
    private final Map<Integer, Integer> statuses = new TreeMap<>();

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
            attack(pool, server);
        }
        System.out.println("FuzzTest: answers by status " + statuses);
        assertThat(statuses.keySet()).as("both valid and invalid requests were sent").contains(200, 201, 400, 404);
    }

    private void attack(Pool pool, HeddleServer server) throws IOException {
        List<String> routes = server.endpoints().stream().filter(route -> !route.endsWith("/events")).toList();
        RawConnection wire = new RawConnection(server);
        JobCounts tally = pool.admin().countJobs();
        List<Job> jobs = jobs(pool);
        for (int round = 0; round < Torture.rounds(3_000, 100_000); round++) {
            String request = request(pick(routes), server, jobs);
            int status = wire.status(request);
            statuses.merge(status, 1, Integer::sum);
            assertThat(status).as("round %d: %s", round, request).isBetween(200, 499);
            if (status >= 400) {
                assertThat(pool.admin().countJobs()).as("round %d: %s", round, request).isEqualTo(tally);
                if (round % 25 == 0) {
                    assertThat(jobs(pool)).as("round %d", round).isEqualTo(jobs);
                }
            } else {
                tally = pool.admin().countJobs();
                jobs = jobs(pool);
            }
        }
    }

    private static List<Job> jobs(Pool pool) {
        return pool.admin().list(JobQuery.all().limit(200));
    }

    private String request(String route, HeddleServer server, List<Job> jobs) {
        String method = chance(20) ? pick(List.of("GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "QUERY", "X"))
                : route.substring(0, route.indexOf(' '));
        String path = path(route.substring(route.indexOf(' ') + 1), jobs);
        String body = chance(3) ? mutated(pick(BODIES)) : pick(BODIES);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return method + " " + path + query() + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + server.token()
                + "\r\n" + (chance(30) ? "" : "Content-Type: application/json\r\n")
                + (chance(40) ? "X-Odd: " + "z".repeat(random.nextInt(9_000)) + "\r\n" : "") + "Content-Length: "
                + bytes.length + "\r\n\r\n" + text;
    }

    private String path(String template, List<Job> jobs) {
        String id = switch (random.nextInt(6)) {
            case 0 -> UUID.randomUUID().toString();
            case 1 -> Integer.toHexString(random.nextInt());
            case 2 -> URLEncoder.encode(noise(), StandardCharsets.UTF_8);
            case 3 -> pick(List.of("%00", "%2e%2e", "..", "%", "%zz", ";", "a;b=c", "%2F", "%25", "~", "*", "%ff"));
            default -> jobs.isEmpty() ? "0" : pick(jobs).id().toString().substring(0, chance(4) ? 20 : 36);
        };
        String path = template.replaceAll("\\{id}|<id>", id.replace("\\", "").replace("$", ""));
        return chance(30) ? path + pick(List.of("/", "//", "/x", "%20", ".json", "/..", "?")) : path;
    }

    private String query() {
        if (!chance(3)) {
            return "";
        }
        StringBuilder query = new StringBuilder("?");
        for (int i = random.nextInt(4); i >= 0; i--) {
            query.append(pick(QUERIES)).append(chance(10) ? "" : "=")
                    .append(chance(3) ? URLEncoder.encode(noise(), StandardCharsets.UTF_8) : pick(
                            List.of("1", "0", "-1", "FAILED", "queued,failed", "idle", "PT0.01S", "", "%", "01")))
                    .append('&');
        }
        return query.toString();
    }

    private String mutated(String body) {
        StringBuilder text = new StringBuilder(body);
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = text.isEmpty() ? 0 : random.nextInt(text.length());
            switch (random.nextInt(5)) {
                case 0 -> text.setLength(at);
                case 1 -> text.insert(at, pick(SPICE));
                case 2 -> text.replace(at, Math.min(text.length(), at + 1 + random.nextInt(6)), pick(SPICE));
                case 3 -> replaceValue(text);
                default -> text.append(chance(3) ? text.toString() : noise());
            }
        }
        return text.toString();
    }

    /** Replaces the value of a random field, which mostly leaves the body valid JSON. */
    private void replaceValue(StringBuilder text) {
        List<Integer> colons = new ArrayList<>();
        for (int i = text.indexOf(":"); i >= 0; i = text.indexOf(":", i + 1)) {
            colons.add(i);
        }
        if (!colons.isEmpty()) {
            int from = pick(colons) + 1;
            int to = from;
            while (to < text.length() && text.charAt(to) != ',' && text.charAt(to) != '}') {
                to++;
            }
            text.replace(from, to, pick(SPICE));
        }
    }

    private String noise() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i >= 0; i--) {
            text.appendCodePoint(chance(2) ? 32 + random.nextInt(95) : random.nextInt(0xD800));
        }
        return text.toString();
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
