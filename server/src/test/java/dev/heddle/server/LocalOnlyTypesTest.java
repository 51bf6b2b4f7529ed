package dev.heddle.server;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;

import dev.heddle.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Submits jobs of local-only types, directly and through a proxy. */
class LocalOnlyTypesTest {

    private static final String RUN = "{\"type\": \"run\", \"payload\": {\"command\": [\"true\"]}}";

    @Test
    void areAcceptedFromThisMachine() {
        try (ServerFixture fixture = ServerFixture.open(new MemoryStore(), server -> server)) {
            assertThat(fixture.send("POST", "/api/v1/jobs", RUN).statusCode()).isEqualTo(201);
        }
    }

    @ParameterizedTest
    @CsvSource({"X-Forwarded-For, 192.0.2.1", "Forwarded, for=192.0.2.1", "X-Real-IP, 192.0.2.1", "Via, 1.1 proxy",
        "X-Forwarded-Proto, https", "x-forwarded-port, 443", "X-Forwarded-Server, proxy"})
    void areRefusedIfAProxyForwardedTheRequest(String header, String value) {
        try (ServerFixture fixture = ServerFixture.open(new MemoryStore(), server -> server)) {
            String token = "Bearer " + fixture.server.token();
            HttpResponse<String> one = fixture.ask("POST", "/api/v1/jobs", RUN, "Authorization", token, header, value);
            assertThat(one.statusCode()).isEqualTo(403);
            assertThat(ServerFixture.json(one).at("/detail").asString())
                    .isEqualTo("jobs of type 'run' run command lines and are accepted from this machine only;"
                            + " set server.allowRun to change that");
            String many = "{\"jobs\": [{\"type\": \"echo\"}, " + RUN + "]}";
            assertThat(
                    fixture.ask("POST", "/api/v1/jobs/bulk", many, "Authorization", token, header, value).statusCode())
                    .isEqualTo(403);
            assertThat(
                    fixture.ask("POST", "/api/v1/jobs", "{\"type\": \"echo\"}", "Authorization", token, header, value)
                            .statusCode())
                    .isEqualTo(201);
            assertThat(ServerFixture.json(fixture.get("/api/v1/jobs")).at("/jobs")).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"run@host-a", "batch@host-a"})
    void areRefusedForAnotherMachineWhateverThisOneAllows(String type) {
        try (ServerFixture fixture = ServerFixture.open(new MemoryStore(), server -> server.allowRun(true))) {
            HttpResponse<String> answer = fixture.ask("POST", "/api/v1/jobs", "{\"type\": \"" + type + "\"}",
                    "Authorization", "Bearer " + fixture.server.token(), "Via", "1.1 proxy");
            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(fixture.ask("POST", "/api/v1/jobs", RUN, "Authorization", "Bearer " + fixture.server.token(),
                    "Via", "1.1 proxy").statusCode()).isEqualTo(201);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"heddle.example", "localhost", "localhost:1", "127.0.0.1:1"})
    void areRefusedIfTheHostIsThatOfAProxyOrAPortForward(String host) throws IOException {
        try (ServerFixture fixture = ServerFixture.open(new MemoryStore(),
                server -> server.localOnly("run").allowedHosts(List.of("heddle.example")))) {
            String answer = fixture.raw("POST /api/v1/jobs HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer "
                    + fixture.server.token() + "\r\nContent-Type: application/json\r\nContent-Length: " + RUN.length()
                    + "\r\nConnection: close\r\n\r\n" + RUN);

            assertThat(answer).startsWith("HTTP/1.1 403 ");
        }
    }

    @Test
    void areRetriedForThisMachineOnly() {
        try (ServerFixture fixture = ServerFixture.open(new MemoryStore(), server -> server.localOnly("fail"))) {
            String token = "Bearer " + fixture.server.token();
            String id = ServerFixture.json(fixture.send("POST", "/api/v1/jobs", "{\"type\": \"fail\"}"))
                    .at("/jobs/0/id").asString();
            assertThat(ServerFixture.json(fixture.get("/api/v1/jobs/" + id + "/wait?timeout=PT30S"))
                    .at("/job/state").asString()).isEqualTo("FAILED");
            for (String path : List.of("/jobs/" + id + "/retry", "/dead-letters/" + id + "/retry")) {
                assertThat(fixture.ask("POST", "/api/v1" + path, null, "Authorization", token, "Via", "1.1 proxy")
                        .statusCode()).as(path).isEqualTo(403);
            }
            assertThat(ServerFixture
                    .json(fixture.ask("POST", "/api/v1/dead-letters/retry", "{}", "Authorization", token, "Via",
                            "1.1 proxy"))
                    .at("/count").asInt()).isZero();
            assertThat(fixture.send("POST", "/api/v1/jobs/" + id + "/retry", null).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void areRefusedFromEverywhereBehindAProxy() {
        try (ServerFixture fixture = ServerFixture.open(new MemoryStore(),
                server -> server.localOnly("run").behindProxy())) {
            assertThat(fixture.send("POST", "/api/v1/jobs", RUN).statusCode()).isEqualTo(403);
        }
    }
}
