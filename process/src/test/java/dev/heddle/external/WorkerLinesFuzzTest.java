package dev.heddle.external;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.heddle.testkit.fuzz.Fuzz;
import dev.heddle.testkit.fuzz.Inputs;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever a worker prints, the thread that reads it lives, the running call ends, and the next request gets its answer.
 */
class WorkerLinesFuzzTest {

    static final List<String> LINES = List.of("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":[1,2.5,null]}}\n",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32000,\"message\":\"no\",\"data\":{\"category\":\"TRANSIENT\","
                    + "\"retryAfterMs\":5,\"failedStep\":\"s\",\"recoveryHint\":\"h\",\"details\":\"d\"}}}\n",
            "{\"jsonrpc\":\"2.0\",\"id\":\"c\",\"method\":\"checkpoint\",\"params\":{\"id\":1,\"value\":[1,{}]}}\n",
            "{\"jsonrpc\":\"2.0\",\"method\":\"progress\",\"params\":{\"id\":1,\"current\":1,\"total\":2,"
                    + "\"message\":\"m\"}}\n{\"jsonrpc\":\"2.0\",\"method\":\"heartbeat\",\"params\":{\"id\":1}}\n",
            "{\"jsonrpc\":\"2.0\",\"method\":\"log\",\"params\":{\"id\":1,\"level\":\"warn\",\"message\":\"m\"}}\n",
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":{}}\n",
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"?\"}}\n", "loading model\n");

    @Test
    void neverStopTheConnection() throws Exception {
        Fuzz.check(WorkerLinesFuzzTest.class, Duration.ofSeconds(5), Inputs.mutated(LINES), lines -> {
            RpcConnection connection = new RpcConnection(new Ignored());
            OutputStream fromWorker = connection.receiver();
            JobCall call = connection.execute(Protocol.object());

            write(fromWorker, lines + "\n");
            connection.close("the end");
            JobCall.End end = call.await(new Ignored());
            if (end instanceof JobCall.End.Failed(RpcError error)) {
                assertThat(ReportedError.of(error)).hasMessageMatching("(?s).+");
            }
        });
    }

    @Test
    void neverHideAnAnswer() throws Exception {
        Fuzz.check(WorkerLinesFuzzTest.class, Duration.ofSeconds(3), Inputs.mutated(LINES), lines -> {
            RpcConnection connection = new RpcConnection(new Ignored());
            OutputStream fromWorker = connection.receiver();

            write(fromWorker, lines + "\n");
            CompletableFuture<JsonNode> answer = connection.request(Protocol.PING, Protocol.object());
            write(fromWorker, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"pong\"}\n");
            assertThat(answer).isDone();
        });
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static final class Ignored implements RpcConnection.Listener, JobCall.MessageHandler {
        @Override
        public void logLine(String line) {}

        @Override
        public void protocolViolation(String problem) {
            assertThat(problem).isNotBlank().doesNotContain("could not be handled");
        }

        @Override
        public void inputClosed(String reason) {}

        @Override
        public void received() {}

        @Override
        public void progress(long current, long total, String message) {}

        @Override
        public void log(String level, String message) {}

        @Override
        public void checkpoint(JsonNode value) {}
    }
}
