package dev.heddle.server;

import java.net.http.HttpResponse;

import dev.heddle.store.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Command lines are this machine's own business. */
class HereOnlyTest {

    private static final String RUN = "{\"type\": \"run\", \"payload\": {\"command\": [\"true\"]}}";

    @Test
    void takesThemFromThisMachine() {
        try (Front front = Front.open(new MemoryStore(), server -> server.hereOnly("run"))) {
            assertThat(front.send("POST", "/api/v1/jobs", RUN).statusCode()).isEqualTo(201);
        }
    }

    @ParameterizedTest
    @CsvSource({"X-Forwarded-For, 192.0.2.1", "Forwarded, for=192.0.2.1", "X-Real-IP, 192.0.2.1",
        "Via, 1.1 proxy"})
    void refusesWhatWasPassedOnByAProxy(String header, String value) {
        try (Front front = Front.open(new MemoryStore(), server -> server.hereOnly("run"))) {
            String token = "Bearer " + front.server.token();
            HttpResponse<String> one = front.ask("POST", "/api/v1/jobs", RUN, "Authorization", token, header,
                    value);
            assertThat(one.statusCode()).isEqualTo(403);
            assertThat(Front.json(one).at("/detail").asString())
                    .isEqualTo("jobs of type 'run' are command lines, which are taken from this machine only;"
                            + " set server.allowRun to change that");
            String many = "{\"jobs\": [{\"type\": \"echo\"}, " + RUN + "]}";
            assertThat(front.ask("POST", "/api/v1/jobs/bulk", many, "Authorization", token, header, value)
                    .statusCode()).isEqualTo(403);
            assertThat(
                    front.ask("POST", "/api/v1/jobs", "{\"type\": \"echo\"}", "Authorization", token, header,
                            value).statusCode())
                    .isEqualTo(201);
            assertThat(Front.json(front.get("/api/v1/jobs")).at("/jobs")).hasSize(1);
        }
    }
}
