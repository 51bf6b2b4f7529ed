package dev.heddle.external;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.heddle.job.DurationText;
import dev.heddle.job.JobId;
import dev.heddle.process.Exit;
import dev.heddle.process.Input;
import dev.heddle.process.Launch;
import dev.heddle.process.Output;
import dev.heddle.process.Processes;
import dev.heddle.process.RunningProcess;
import dev.heddle.process.environment.EnvironmentRules;
import dev.heddle.process.environment.EnvironmentVariable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A worker process that {@link ConformanceCheck} tests. Sends messages to it and records what it sends. */
final class WorkerUnderTest implements RpcConnection.Listener, JobCall.MessageHandler, AutoCloseable {

    private static final String STDERR = "(stderr) ";

    private final ConformanceCheck.Work work;
    private final RpcConnection connection = new RpcConnection(this);
    private final List<String> logLines = new CopyOnWriteArrayList<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    /** How many of the violations have been reported. */
    private int reportedViolations;
    private final List<String> jobMessages = new ArrayList<>();
    private @Nullable RunningProcess process;
    private @Nullable CompletableFuture<Exit> exit;
    /** Completes after the exit of the process has failed all pending requests. */
    private @Nullable CompletableFuture<Void> closed;

    /**
     * What came of a request.
     *
     * @param text what the worker did, in words
     */
    record Answer(@Nullable JsonNode result, @Nullable RpcError error, String text) {}

    WorkerUnderTest(ConformanceCheck.Work work) {
        this.work = work;
    }

    void start(Processes processes, List<String> command, Path directory) {
        RunningProcess started = processes.start(Launch.of("check of " + command.getFirst(), command).in(directory)
                .environment(EnvironmentRules.standard().environment(System.getenv(),
                        Map.of(EnvironmentVariable.WORKER_ID, "check/1"), Map.of()))
                .input(Input.pipe()).output(Output.to(connection.receiver()))
                .errors(Output.to(new LineSplitter(Protocol.MAX_LINE_BYTES, line -> {
                    if (line instanceof OutputLine.Text(String text)) {
                        logLines.add(STDERR + text);
                    }
                }))));
        process = started;
        CompletableFuture<Exit> ending = started.exit().toCompletableFuture();
        exit = ending;
        closed = ending.thenAccept(how -> connection.close("it ended: " + how));
        connection.open(started.input(), "check");
    }

    @Override
    public void logLine(String line) {
        logLines.add(line);
    }

    @Override
    public void protocolViolation(String problem) {
        violations.add(problem);
    }

    /** Waits for the exit of the process, if it has one, because that explains the failed requests better. */
    @Override
    public void inputClosed(String reason) {
        CompletableFuture<Void> afterExit = closed;
        if (afterExit != null) {
            afterExit.copy().completeOnTimeout(null, work.answerWithin().toMillis(), TimeUnit.MILLISECONDS).join();
        }
    }

    @Override
    public void received() {}

    @Override
    public void progress(long current, long total, String message) {
        jobMessages.add(Protocol.PROGRESS);
    }

    @Override
    public void log(String level, String message) {
        jobMessages.add(Protocol.LOG);
    }

    @Override
    public void checkpoint(JsonNode value) {
        jobMessages.add(Protocol.CHECKPOINT);
    }

    /** Returns the methods of the messages that the worker sent about its jobs. */
    List<String> jobMessages() {
        return jobMessages;
    }

    /** Returns the lines on standard output that are not messages. */
    List<String> strayLines() {
        return logLines.stream().filter(line -> !line.startsWith(STDERR)).toList();
    }

    /** Returns the last lines that the worker logged, which often tell the cause. */
    String lastLogLines() {
        List<String> lines = List.copyOf(logLines);
        int from = Math.max(0, lines.size() - 5);
        return lines.isEmpty() ? "" : "\n  " + String.join("\n  ", lines.subList(from, lines.size()));
    }

    /** Returns the violations that no finding has reported yet. */
    List<String> unreportedViolations() {
        // Not a sublist, which fails if a violation is added meanwhile.
        List<String> rest = violations.stream().skip(reportedViolations).toList();
        reportedViolations += rest.size();
        return rest;
    }

    /** Counts all violations so far as reported. */
    void skipViolations() {
        reportedViolations = violations.size();
    }

    /** Sends a notification. */
    void send(String method, ObjectNode params) {
        connection.send(method, params);
    }

    /** Sends a ping without waiting for the answer. */
    CompletableFuture<JsonNode> sendPing() {
        return connection.request(Protocol.PING, Protocol.object());
    }

    /** Sends a ping and waits for the answer. */
    Answer ping() throws InterruptedException {
        return request(Protocol.PING, Protocol.object(), work.answerWithin());
    }

    /** Sends a request and waits for the answer. */
    Answer request(String method, ObjectNode params, Duration timeout) throws InterruptedException {
        int violationsBefore = violations.size();
        int logLinesBefore = logLines.size();
        try {
            JsonNode result = connection.request(method, params).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return new Answer(result, null, "it answered " + Protocol.abbreviate(result.toString()));
        } catch (ExecutionException e) {
            RpcError error = e.getCause() instanceof RpcConnection.RequestFailedException failed ? failed.error()
                    : null;
            return new Answer(null, error, String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()));
        } catch (TimeoutException e) {
            return new Answer(null, null,
                    "no answer within " + DurationText.of(timeout) + receivedInstead(violationsBefore, logLinesBefore));
        }
    }

    private String receivedInstead(int violationsBefore, int logLinesBefore) {
        if (violations.size() > violationsBefore) {
            return ", but " + violations.getLast();
        }
        return logLines.stream().skip(logLinesBefore).filter(line -> line.startsWith("{")).findFirst()
                .map(line -> ", but a line that is not a message, because it lacks \"jsonrpc\":\"2.0\": "
                        + Protocol.abbreviate(line))
                .orElse("");
    }

    /** Sends a job without waiting for its end. */
    JobCall startJob(String type) {
        ObjectNode params = Protocol.object().put("job", JobId.next().toString()).put("type", type).put("attempt", 1);
        params.set("payload", work.payload());
        params.put("deadline", "2100-01-01T00:00:00Z");
        return connection.execute(params);
    }

    /** Waits for the end of a job, at most as long as the patience allows. */
    JobCall.End awaitJob(JobCall call) throws InterruptedException {
        CompletableFuture<Void> overdue = new CompletableFuture<>();
        var _ = overdue.completeOnTimeout(null, work.patience().toMillis(), TimeUnit.MILLISECONDS).thenAccept(
                _ -> call.end(new JobCall.End.Lost("no answer within " + DurationText.of(work.patience()))));
        try {
            return call.await(this);
        } finally {
            overdue.cancel(false);
            connection.endCall();
        }
    }

    /** Closes the worker's standard input. */
    void closeInput() {
        connection.close("end of the check");
    }

    /** Returns how the process ended; fails with {@link TimeoutException} if it has not ended in time. */
    @Nullable Exit awaitExit(Duration timeout) throws InterruptedException, TimeoutException {
        CompletableFuture<Exit> ending = exit;
        try {
            return ending == null ? null : ending.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Kills the process. */
    @Override
    public void close() {
        RunningProcess running = process;
        if (running != null) {
            running.stop(Duration.ZERO).toCompletableFuture().join();
        }
    }
}
