package dev.heddle.external;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class RpcConnectionTest {

    private static final String UNREADABLE = """
            {"jsonrpc": "2.0", "id": null, "error": {"code": -32601, "message": "what?"}}
            """;

    private final List<String> logLines = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final List<String> closings = new ArrayList<>();
    private final RpcConnection connection = new RpcConnection(new RpcConnection.Listener() {
        @Override
        public void logLine(String line) {
            logLines.add(line);
        }

        @Override
        public void protocolViolation(String problem) {
            violations.add(problem);
        }

        @Override
        public void inputClosed(String reason) {
            closings.add(reason);
        }
    });
    private final OutputStream fromWorker = connection.receiver();

    private void receive(String line) throws IOException {
        fromWorker.write(line.getBytes(StandardCharsets.UTF_8));
    }

    private CompletableFuture<JsonNode> ping() {
        return connection.request(Protocol.PING, Protocol.object());
    }

    @Test
    void completesARequestWithItsResponse() throws Exception {
        CompletableFuture<JsonNode> first = ping();
        CompletableFuture<JsonNode> second = ping();

        receive("{\"jsonrpc\": \"2.0\", \"id\": 2, \"result\": \"pong\"}\n");

        assertThat(second).isCompletedWithValueMatching(result -> result.asString().equals("pong"));
        assertThat(first).isNotDone();
    }

    @Test
    void failsARequestWithItsError() throws Exception {
        CompletableFuture<JsonNode> response = ping();

        receive("{\"jsonrpc\": \"2.0\", \"id\": 1, \"error\": {\"code\": -32000, \"message\": \"no model\"}}\n");

        assertThat(response).failsWithin(Duration.ZERO).withThrowableThat().havingCause()
                .withMessage("no model (-32000)");
    }

    @Test
    void reportsAResponseToARequestThatWasNeverSent() throws Exception {
        receive("{\"jsonrpc\": \"2.0\", \"id\": 7, \"result\": 1}\n");

        assertThat(violations).containsExactly("a response to request 7, which was never sent");
    }

    @Test
    void failsPendingAndLaterRequestsWhenClosed() {
        CompletableFuture<JsonNode> pending = ping();
        JobCall call = connection.execute(Protocol.object());

        connection.close("exit 3");

        assertThat(pending).failsWithin(Duration.ZERO).withThrowableThat().havingCause().withMessage("exit 3");
        assertThat(ping()).failsWithin(Duration.ZERO).withThrowableThat().havingCause().withMessage("exit 3");
        assertThat(call.isEnded()).isTrue();
    }

    @Test
    void writesWhatWasSentBeforeItWasOpened() {
        ByteArrayOutputStream toWorker = new ByteArrayOutputStream();
        connection.send(Protocol.SHUTDOWN, Protocol.object().put("reason", "closing"));

        connection.open(toWorker, "w");

        Awaitility.await().until(() -> toWorker.toString(StandardCharsets.UTF_8)
                .equals("{\"jsonrpc\":\"2.0\",\"method\":\"shutdown\",\"params\":{\"reason\":\"closing\"}}\n"));
        connection.close("done");
    }

    @Test
    void closesIfTheWorkerDoesNotReadItsInput() {
        CompletableFuture<JsonNode> pending = ping();

        connection.open(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        }, "w");

        Awaitility.await().until(pending::isCompletedExceptionally);
        assertThat(closings).containsExactly("its input is closed");
    }

    @Test
    void passesOtherOutputToTheLog() throws Exception {
        receive("loading model\n");

        assertThat(logLines).containsExactly("loading model");
    }

    @Test
    void aViolationEndsTheRunningJob() throws Exception {
        JobCall call = connection.execute(Protocol.object());

        receive(UNREADABLE);

        assertThat(call.await(new UnexpectedMessages())).isInstanceOf(JobCall.End.Violated.class);
        assertThat(violations).isEmpty();
    }

    /** The job's thread may not have ended the call yet. */
    @Test
    void aViolationAfterTheEndOfAJobGoesToTheListener() throws Exception {
        JobCall call = connection.execute(Protocol.object());
        receive("{\"jsonrpc\": \"2.0\", \"id\": " + call.id() + ", \"result\": 1}\n");

        receive(UNREADABLE);

        assertThat(violations).singleElement().asString().startsWith("it could not read a message");
        assertThat(call.await(new UnexpectedMessages())).isInstanceOf(JobCall.End.Result.class);
    }

    @Test
    void aViolationWithoutAJobGoesToTheListener() throws Exception {
        receive(UNREADABLE);

        assertThat(violations).hasSize(1);
    }

    @Test
    void explainsATimeout() {
        assertThat(RpcConnection.explain(new TimeoutException(), Duration.ofSeconds(5)))
                .isEqualTo("no answer within 5 s");
    }

    private static final class UnexpectedMessages implements JobCall.MessageHandler {
        @Override
        public void received() {
            throw new AssertionError("the worker sent nothing about its job");
        }

        @Override
        public void progress(long current, long total, String message) {
            throw new AssertionError(message);
        }

        @Override
        public void log(String level, String message) {
            throw new AssertionError(message);
        }

        @Override
        public void checkpoint(JsonNode value) {
            throw new AssertionError(value);
        }
    }
}
