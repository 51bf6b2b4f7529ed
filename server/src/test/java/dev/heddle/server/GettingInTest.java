package dev.heddle.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

import dev.heddle.control.Problem;
import dev.heddle.pool.Pool;
import dev.heddle.store.MemoryStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Requests that try to get in, and what they get. */
class GettingInTest {

    private static final String STATS = "/api/v1/stats";
    private static final String JOBS = "/api/v1/jobs";
    private static final String DRAFT = "{\"type\":\"idle\"}";

    private final Front front = Front.open(new MemoryStore(),
            settings -> settings.bodyLimits(1_000, 10_000).allowedHosts(List.of("heddle.example")));

    @AfterEach
    void close() {
        assertThat(front.pool.tally().live()).as("nobody got anything in").isEmpty();
        front.close();
    }

    private static void refused(int status, HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains(Problem.MEDIA_TYPE);
        assertThat(Front.json(answer).get("status").intValue()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Server")).isEmpty();
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }

    private String bearer() {
        return "Bearer " + front.server.token();
    }

    @ParameterizedTest
    @ValueSource(strings = {STATS, JOBS, "/metrics", "/api/v1/events", "/api/v1/openapi.json", "/",
        "/nothing",
        "/api/v1/jobs/1/logs"})
    void asksEverybodyForTheToken(String path) {
        HttpResponse<String> answer = front.ask("GET", path, null);

        refused(401, answer);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).isPresent();
        assertThat(answer.body()).doesNotContain(front.server.token());
    }

    @Test
    void refusesToChangeAnythingWithoutTheToken() {
        refused(401, front.ask("POST", JOBS, DRAFT));
        refused(401, front.ask("DELETE", JOBS + "/1", null));
        refused(401, front.ask("OPTIONS", JOBS, null, "Origin", "http://evil.example",
                "Access-Control-Request-Method", "POST"));
    }

    @Test
    void letsProbesInWithoutOne() {
        assertThat(front.ask("GET", "/healthz", null).statusCode()).isEqualTo(200);
        assertThat(front.ask("GET", "/readyz", null).body()).isEqualTo("{\"status\":\"ready\"}");
    }

    @Test
    void refusesAWrongToken() {
        String token = front.server.token();
        for (String wrong : List.of("Bearer ", "Bearer x", "Bearer " + token + "x", "Bearer "
                + token.substring(1), "bearer" + token, token,
                "Basic " + Base64.getEncoder().encodeToString(
                        ("heddle:" + token).getBytes(StandardCharsets.US_ASCII)),
                "Digest " + token)) {
            refused(401, front.ask("GET", STATS, null, "Authorization", wrong));
        }
        assertThat(front.ask("GET", STATS, null, "Authorization", bearer()).statusCode()).isEqualTo(200);
    }

    @Test
    void doesNotTakeTheTokenFromTheAddressOrACookie() {
        String token = front.server.token();

        refused(401, front.ask("GET", STATS + "?token=" + token + "&access_token=" + token, null));
        refused(401, front.ask("GET", STATS, null, "Cookie", "token=" + token + "; heddle=" + token));
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80",
        "evil@127.0.0.1",
        "127.0.0.1:7420@evil.example", "127.0.0.1:99999999", "", "localhost:x", "[::2]", "0.0.0.0"})
    void refusesAnotherHost(String host) throws IOException {
        String answer = front
                .raw("GET " + STATS + " HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: " + bearer()
                        + "\r\nConnection: close\r\n\r\n");

        assertThat(answer).containsPattern("^HTTP/1\\.1 (400|403) ").contains(Problem.MEDIA_TYPE)
                .doesNotContain("nodeId");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:7420", "127.0.0.1:1", "[::1]:7420", "heddle.example"})
    void answersUnderItsOwnNames(String host) throws IOException {
        String answer = front
                .raw("GET " + STATS + " HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: " + bearer()
                        + "\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200 ").contains("nodeId");
    }

    @Test
    void refusesTwoHostsAndNone() throws IOException {
        String end = "\r\nAuthorization: " + bearer() + "\r\nConnection: close\r\n\r\n";

        assertThat(front.raw("GET " + STATS + " HTTP/1.1\r\nHost: localhost\r\nHost: evil.example" + end))
                .startsWith("HTTP/1.1 400 ");
        assertThat(front.raw("GET " + STATS + " HTTP/1.1\r\nX: y" + end)).startsWith("HTTP/1.1 400 ");
        assertThat(front.raw("GET http://evil.example" + STATS + " HTTP/1.1\r\nHost: localhost" + end))
                .doesNotContain("nodeId");
    }

    private String session() {
        URI link = front.server.loginLink();
        assertThat(link.toString()).doesNotContain(front.server.token());
        HttpResponse<String> answer = front.ask("GET", link.getPath() + "?" + link.getQuery(), null);
        assertThat(answer.statusCode()).isEqualTo(303);
        String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).contains("HttpOnly").contains("SameSite=Strict").contains("Path=/")
                .doesNotContain(front.server.token());
        return cookie.substring(0, cookie.indexOf(';'));
    }

    @Test
    void logsABrowserInOnceByALink() {
        URI link = front.server.loginLink();
        String path = link.getPath() + "?" + link.getQuery();

        assertThat(front.ask("GET", path, null).statusCode()).isEqualTo(303);
        refused(401, front.ask("GET", path, null));
        refused(401, front.ask("GET", "/login", null));
        refused(401, front.ask("GET", "/login?code=", null));
        refused(401, front.ask("GET", "/login?code=" + front.server.token(), null));
        assertThat(front.ask("GET", STATS, null, "Cookie", session()).statusCode()).isEqualTo(200);
        refused(401, front.ask("GET", STATS, null, "Cookie", session() + "x"));
    }

    @Test
    void letsASessionChangeThingsOnlyFromItsOwnPages() {
        String cookie = session();
        String own = front.server.uri().toString();

        refused(403, front.ask("POST", JOBS, DRAFT, "Cookie", cookie));
        refused(403, front.ask("POST", JOBS, DRAFT, "Cookie", cookie, "Origin", "http://evil.example"));
        refused(403, front.ask("POST", JOBS, DRAFT, "Cookie", cookie, "Origin", "null"));
        refused(403, front.ask("POST", JOBS, DRAFT, "Cookie", cookie, "Origin", own + ".evil.example"));
        refused(403,
                front.ask("DELETE", JOBS + "/1", null, "Cookie", cookie, "Origin", "http://localhost:1"));
        refused(404, front.ask("DELETE", JOBS + "/01", null, "Cookie", cookie, "Origin", own));
        refused(401, front.ask("GET", STATS, null, "Cookie", cookie, "Authorization", "Bearer wrong"));
    }

    @Test
    void sharesNothingWithOtherOrigins() {
        HttpResponse<String> answer = front.ask("GET", STATS, null, "Authorization", bearer(), "Origin",
                "http://evil.example");

        assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
        assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(answer.headers().firstValue("X-Frame-Options")).contains("DENY");
        assertThat(answer.headers().firstValue("Referrer-Policy")).contains("no-referrer");
        assertThat(answer.headers().firstValue("Server")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/../../etc/passwd", "/api/v1/../../etc/passwd", "/api/v1/jobs/..%2f..%2fstats",
        "/api/v1/%2e%2e/stats", "//etc/passwd", "/api/v1/jobs/%00", "/api/v1/jobs/;x", "/api/v1//stats",
        "/API/V1/stats", "/api/v1/stats/", "/.git/config", "/api/v1/workers/../../../etc/passwd",
        "/%c0%ae%c0%ae/x"})
    void findsNothingBesideTheRoutes(String path) throws IOException {
        String answer = front.raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + bearer()
                + "\r\nConnection: close\r\n\r\n");

        assertThat(answer).containsPattern("^HTTP/1\\.1 (400|404) ").contains(Problem.MEDIA_TYPE)
                .doesNotContain("root:").doesNotContain("Jetty").doesNotContain("java.");
    }

    @Test
    void refusesALargeBodyWhetherItSaysSoOrNot() throws IOException {
        String large = "{\"type\":\"idle\",\"subject\":\"" + "x".repeat(2_000) + "\"}";
        refused(413, front.send("POST", JOBS, large));
        refused(413, front.send("POST", JOBS + "/bulk", "{\"jobs\":[" + large.repeat(6) + "]}"));
        String head = "POST " + JOBS
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: "
                + bearer() + "\r\nConnection: close\r\n";

        assertThat(front.raw(head + "Content-Length: 99999999999\r\n\r\n{")).startsWith("HTTP/1.1 413 ");
        assertThat(front.raw(head + "Content-Length: -1\r\n\r\n{")).startsWith("HTTP/1.1 400 ");
        assertThat(front.raw(head + "Transfer-Encoding: chunked\r\n\r\n" + "400\r\n" + "x".repeat(1_024)
                + "\r\n0\r\n\r\n")).startsWith("HTTP/1.1 413 ");
        assertThat(front.raw(head + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
    }

    @Test
    void refusesHeadersThatAreTooManyOrNone() throws IOException {
        String large = front.raw("GET " + STATS + " HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(100_000)
                + "\r\nConnection: close\r\n\r\n");
        assertThat(large).startsWith("HTTP/1.1 431 ").doesNotContain("Jetty").contains(Problem.MEDIA_TYPE);
        for (String nonsense : List.of("nonsense\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost\r\n Folded: x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost\r\nA\u0000B: x\r\n\r\n")) {
            assertThat(front.raw(nonsense)).as(nonsense).containsPattern("^HTTP/1\\.1 (400|505) ")
                    .doesNotContain("Jetty");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json;charset=utf-16", "application/jsonx"})
    void refusesABodyThatIsNotJson(String type) throws IOException {
        String answer = front.raw("POST " + JOBS + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + type
                + "\r\nAuthorization: " + bearer() + "\r\nConnection: close\r\nContent-Length: "
                + DRAFT.length()
                + "\r\n\r\n" + DRAFT);

        assertThat(answer).startsWith("HTTP/1.1 415 ");
    }

    @Test
    void saysWhichMethodsItDoesNotKnow() {
        refused(405, front.send("PUT", JOBS, DRAFT));
        refused(405, front.send("POST", STATS, null));
        refused(405, front.send("DELETE", "/metrics", null));
        assertThat(front.send("TRACE", STATS, null).statusCode()).isGreaterThanOrEqualTo(400);
        refused(404, front.send("POST", "/api/v2/jobs", DRAFT));
    }

    @Test
    void listensToOthersOnlyWithATokenThatSomebodyChose() {
        try (Pool other = Pool.on(new MemoryStore()).open()) {
            assertThatThrownBy(() -> HeddleServer.on(other).host("0.0.0.0").port(0).start())
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("needs a token");
            assertThatThrownBy(() -> HeddleServer.on(other).host("0.0.0.0").token("short").port(0).start())
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("at least 16");
            assertThatThrownBy(() -> HeddleServer.on(other).host("").port(0).start())
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("is empty");
            try (HeddleServer open = HeddleServer.on(other).host("0.0.0.0").token("a-token-that-i-chose")
                    .port(0)
                    .start()) {
                assertThat(open.token()).isEqualTo("a-token-that-i-chose");
            }
            assertThatThrownBy(() -> HeddleServer.on(other).port(front.server.port()).start())
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + front.server.port());
        }
    }
}
