package dev.heddle.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.heddle.control.http.Problem;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Pool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Checks which requests the server admits, and that refused ones reveal and change nothing. */
class AccessTest {

    private static final String STATS = "/api/v1/stats";
    private static final String JOBS = "/api/v1/jobs";
    private static final String DRAFT = "{\"type\":\"idle\"}";

    private final ServerFixture fixture = ServerFixture.open(new MemoryStore(),
            settings -> settings.bodyLimits(1_000, 10_000).allowedHosts(List.of("heddle.example")));

    @AfterEach
    void close() {
        assertThat(fixture.pool.admin().countJobs().live()).as("no request got through").isEmpty();
        fixture.close();
    }

    private static void assertRefused(int status, HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains(Problem.MEDIA_TYPE);
        assertThat(ServerFixture.json(answer).get("status").intValue()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Server")).isEmpty();
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }

    private String bearer() {
        return "Bearer " + fixture.server.token();
    }

    @ParameterizedTest
    @ValueSource(strings = {STATS, JOBS, "/metrics", "/api/v1/events", "/api/v1/openapi.json", "/", "/nothing",
        "/api/v1/jobs/1/logs"})
    void requiresTheTokenOnEveryPath(String path) {
        HttpResponse<String> answer = fixture.ask("GET", path, null);

        assertRefused(401, answer);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).isPresent();
        assertThat(answer.body()).doesNotContain(fixture.server.token());
    }

    @Test
    void changesNothingWithoutTheToken() {
        assertRefused(401, fixture.ask("POST", JOBS, DRAFT));
        assertRefused(401, fixture.ask("DELETE", JOBS + "/1", null));
        assertRefused(401, fixture.ask("OPTIONS", JOBS, null, "Origin", "http://evil.example",
                "Access-Control-Request-Method", "POST"));
    }

    @Test
    void answersProbesWithoutTheToken() {
        assertThat(fixture.ask("GET", "/healthz", null).statusCode()).isEqualTo(200);
        assertThat(fixture.ask("GET", "/readyz", null).body()).isEqualTo("{\"status\":\"ready\"}");
    }

    @Test
    void refusesAWrongToken() {
        String token = fixture.server.token();
        for (String wrong : List.of("Bearer ", "Bearer x", "Bearer " + token + "x", "Bearer " + token.substring(1),
                "bearer" + token, token,
                "Basic " + Base64.getEncoder().encodeToString(("heddle:" + token).getBytes(StandardCharsets.US_ASCII)),
                "Digest " + token)) {
            assertRefused(401, fixture.ask("GET", STATS, null, "Authorization", wrong));
        }
        assertThat(fixture.ask("GET", STATS, null, "Authorization", bearer()).statusCode()).isEqualTo(200);
    }

    @Test
    void throttlesWrongTokensAndCodesButNotTheRightToken() {
        for (int i = 0; i < FailedLogins.MAX_FAILURES; i++) {
            assertRefused(401, i % 2 == 0 ? fixture.ask("GET", STATS, null, "Authorization", "Bearer wrong" + i)
                    : fixture.ask("GET", "/login?code=" + i, null));
        }
        HttpResponse<String> throttled = fixture.ask("GET", STATS, null, "Authorization", "Bearer wrong");

        assertRefused(429, throttled);
        assertThat(throttled.headers().firstValue("Retry-After")).contains("60");
        assertRefused(429, fixture.ask("GET", "/login?code=wrong", null));
        assertThat(fixture.ask("GET", STATS, null, "Authorization", bearer()).statusCode()).isEqualTo(200);
    }

    @Test
    void tellsTokensApartThatDifferInCaseOnOneConnection() throws IOException {
        String token = fixture.server.token();
        List<String> tokens = List.of(token, token.toLowerCase(Locale.ROOT), token.toUpperCase(Locale.ROOT), token);
        StringBuilder requests = new StringBuilder();
        tokens.forEach(each -> requests.append("GET " + STATS + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                + each + "\r\n\r\n"));
        String answers = fixture.raw(requests.append("GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
                .append("Connection: close\r\n\r\n").toString());

        assertThat(Pattern.compile("HTTP/1.1 (\\d+)").matcher(answers).results().map(answer -> answer.group(1)))
                .containsExactly("200", "401", "401", "200", "200");
    }

    @Test
    void ignoresATokenInTheQueryOrInACookie() {
        String token = fixture.server.token();

        assertRefused(401, fixture.ask("GET", STATS + "?token=" + token + "&access_token=" + token, null));
        assertRefused(401, fixture.ask("GET", STATS, null, "Cookie", "token=" + token + "; heddle=" + token));
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "evil@127.0.0.1",
        "127.0.0.1:7420@evil.example", "127.0.0.1:99999999", "", "localhost:x", "[::2]", "0.0.0.0"})
    void refusesAForeignHost(String host) throws IOException {
        String answer = fixture.raw("GET " + STATS + " HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: " + bearer()
                + "\r\nConnection: close\r\n\r\n");

        assertThat(answer).containsPattern("^HTTP/1\\.1 (400|403) ").contains(Problem.MEDIA_TYPE)
                .doesNotContain("nodeId");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:7420", "127.0.0.1:1", "[::1]:7420", "heddle.example"})
    void answersToItsOwnHostNames(String host) throws IOException {
        String answer = fixture.raw("GET " + STATS + " HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: " + bearer()
                + "\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200 ").contains("nodeId");
    }

    @Test
    void refusesTwoHostHeadersAndNone() throws IOException {
        String end = "\r\nAuthorization: " + bearer() + "\r\nConnection: close\r\n\r\n";

        assertThat(fixture.raw("GET " + STATS + " HTTP/1.1\r\nHost: localhost\r\nHost: evil.example" + end))
                .startsWith("HTTP/1.1 400 ");
        assertThat(fixture.raw("GET " + STATS + " HTTP/1.1\r\nX: y" + end)).startsWith("HTTP/1.1 400 ");
        assertThat(fixture.raw("GET http://evil.example" + STATS + " HTTP/1.1\r\nHost: localhost" + end))
                .doesNotContain("nodeId");
    }

    private String session() {
        URI link = fixture.server.loginLink();
        assertThat(link.toString()).doesNotContain(fixture.server.token());
        HttpResponse<String> answer = fixture.ask("GET", link.getPath() + "?" + link.getQuery(), null);
        assertThat(answer.statusCode()).isEqualTo(303);
        String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).contains("HttpOnly").contains("SameSite=Strict").contains("Path=/")
                .doesNotContain(fixture.server.token());
        return cookie.substring(0, cookie.indexOf(';'));
    }

    @Test
    void logsInOneBrowserPerLink() {
        URI link = fixture.server.loginLink();
        String path = link.getPath() + "?" + link.getQuery();

        assertThat(fixture.ask("GET", path, null).statusCode()).isEqualTo(303);
        assertRefused(401, fixture.ask("GET", path, null));
        assertRefused(401, fixture.ask("GET", "/login", null));
        assertRefused(401, fixture.ask("GET", "/login?code=", null));
        assertRefused(401, fixture.ask("GET", "/login?code=" + fixture.server.token(), null));
        assertThat(fixture.ask("GET", STATS, null, "Cookie", session()).statusCode()).isEqualTo(200);
        assertRefused(401, fixture.ask("GET", STATS, null, "Cookie", session() + "x"));
    }

    @Test
    void acceptsChangesFromABrowserSessionOnlyFromItsOwnPages() {
        String cookie = session();
        String own = fixture.server.uri().toString();

        assertRefused(403, fixture.ask("POST", JOBS, DRAFT, "Cookie", cookie));
        assertRefused(403, fixture.ask("POST", JOBS, DRAFT, "Cookie", cookie, "Origin", "http://evil.example"));
        assertRefused(403, fixture.ask("POST", JOBS, DRAFT, "Cookie", cookie, "Origin", "null"));
        assertRefused(403, fixture.ask("POST", JOBS, DRAFT, "Cookie", cookie, "Origin", own + ".evil.example"));
        assertRefused(403, fixture.ask("DELETE", JOBS + "/1", null, "Cookie", cookie, "Origin", "http://localhost:1"));
        assertRefused(404, fixture.ask("DELETE", JOBS + "/01", null, "Cookie", cookie, "Origin", own));
        assertRefused(401, fixture.ask("GET", STATS, null, "Cookie", cookie, "Authorization", "Bearer wrong"));
    }

    @Test
    void sharesNothingWithOtherOrigins() {
        HttpResponse<String> answer = fixture.ask("GET", STATS, null, "Authorization", bearer(), "Origin",
                "http://evil.example");

        assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
        assertThat(answer.headers().firstValue("Content-Security-Policy").orElse("")).contains("default-src 'none'");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(answer.headers().firstValue("X-Frame-Options")).contains("DENY");
        assertThat(answer.headers().firstValue("Referrer-Policy")).contains("no-referrer");
        assertThat(answer.headers().firstValue("Server")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/../../etc/passwd", "/api/v1/../../etc/passwd", "/api/v1/jobs/..%2f..%2fstats",
        "/api/v1/%2e%2e/stats", "//etc/passwd", "/api/v1/jobs/%00", "/api/v1/jobs/;x", "/api/v1//stats",
        "/API/V1/stats", "/api/v1/stats/", "/.git/config", "/api/v1/workers/../../../etc/passwd", "/%c0%ae%c0%ae/x"})
    void servesNothingOutsideItsRoutes(String path) throws IOException {
        String answer = fixture.raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + bearer()
                + "\r\nConnection: close\r\n\r\n");

        assertThat(answer).containsPattern("^HTTP/1\\.1 (400|404) ").contains(Problem.MEDIA_TYPE)
                .doesNotContain("root:").doesNotContain("Jetty").doesNotContain("java.");
    }

    @Test
    void refusesALargeBodyWithOrWithoutAContentLength() throws IOException {
        String large = "{\"type\":\"idle\",\"subject\":\"" + "x".repeat(2_000) + "\"}";
        assertRefused(413, fixture.send("POST", JOBS, large));
        assertRefused(413, fixture.send("POST", JOBS + "/bulk", "{\"jobs\":[" + large.repeat(6) + "]}"));
        String head = "POST " + JOBS
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: " + bearer()
                + "\r\nConnection: close\r\n";

        assertThat(fixture.raw(head + "Content-Length: 99999999999\r\n\r\n{")).startsWith("HTTP/1.1 413 ");
        assertThat(fixture.raw(head + "Content-Length: -1\r\n\r\n{")).startsWith("HTTP/1.1 400 ");
        assertThat(fixture
                .raw(head + "Transfer-Encoding: chunked\r\n\r\n" + "400\r\n" + "x".repeat(1_024) + "\r\n0\r\n\r\n"))
                .startsWith("HTTP/1.1 413 ");
        assertThat(fixture.raw(head + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
    }

    @Test
    void refusesOversizedHeadersAndMalformedRequests() throws IOException {
        String large = fixture.raw("GET " + STATS + " HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(100_000)
                + "\r\nConnection: close\r\n\r\n");
        assertThat(large).startsWith("HTTP/1.1 431 ").doesNotContain("Jetty").contains(Problem.MEDIA_TYPE);
        for (String nonsense : List.of("nonsense\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost\r\n Folded: x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost\r\nA\u0000B: x\r\n\r\n")) {
            assertThat(fixture.raw(nonsense)).as(nonsense).containsPattern("^HTTP/1\\.1 (400|505) ")
                    .doesNotContain("Jetty");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
        "application/json;charset=utf-16", "application/jsonx"})
    void refusesABodyThatIsNotJson(String type) throws IOException {
        String answer = fixture
                .raw("POST " + JOBS + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + type + "\r\nAuthorization: "
                        + bearer() + "\r\nConnection: close\r\nContent-Length: " + DRAFT.length() + "\r\n\r\n" + DRAFT);

        assertThat(answer).startsWith("HTTP/1.1 415 ");
    }

    @Test
    void refusesUnsupportedMethods() {
        assertRefused(405, fixture.send("PUT", JOBS, DRAFT));
        assertRefused(405, fixture.send("POST", STATS, null));
        assertRefused(405, fixture.send("DELETE", "/metrics", null));
        assertThat(fixture.send("TRACE", STATS, null).statusCode()).isGreaterThanOrEqualTo(400);
        assertRefused(404, fixture.send("POST", "/api/v2/jobs", DRAFT));
    }

    @Test
    void requiresAChosenTokenToListenOnOtherAddresses() {
        try (Pool other = Pool.on(new MemoryStore()).open()) {
            assertThatThrownBy(() -> HeddleServer.on(other).host("0.0.0.0").port(0).start())
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("needs a token");
            assertThatThrownBy(() -> HeddleServer.on(other).host("0.0.0.0").token("short").port(0).start())
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("at least 16");
            assertThatThrownBy(() -> HeddleServer.on(other).token("1234567890123456").port(0).start())
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("must not be a run");
            assertThatThrownBy(() -> HeddleServer.on(other).host("").port(0).start())
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("is empty");
            try (HeddleServer open = HeddleServer.on(other).host("0.0.0.0").token("a-token-that-i-chose").port(0)
                    .start()) {
                assertThat(open.token()).isEqualTo("a-token-that-i-chose");
            }
            assertThatThrownBy(() -> HeddleServer.on(other).port(fixture.server.port()).start())
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + fixture.server.port());
        }
    }
}
