package dev.heddle.external;

import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.log.LogStream;
import dev.heddle.process.RunningProcess;
import dev.heddle.worker.Worker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One worker process and the connection to it. Its {@link Supervisor} decides when it is replaced. */
final class ExternalWorker implements RpcConnection.Listener {

    private static final int MAX_LOG_LINE = 2_000;
    private static final int MAX_NOTE = 200;

    private final Worker worker;
    private final Logger log;
    private final RpcConnection connection = new RpcConnection(this);
    private final Supervisor supervisor;
    private final long createdNanos = System.nanoTime();
    /** A random number from 0 to 1 for the jitter of recycling. */
    private final double luck = ThreadLocalRandom.current().nextDouble();
    private volatile long lastUsedNanos = createdNanos;
    private volatile @Nullable RunningProcess process;
    private volatile long memory;
    /** The share of one processor in percent, between the last two measurements. */
    private volatile int cpu;
    private Duration cpuTime = Duration.ZERO;
    private volatile boolean executing;
    private volatile @Nullable JobContext current;
    private volatile String name = "";
    private volatile String retirementReason = "";
    private volatile String lastLogLine = "";
    private final AtomicInteger violations = new AtomicInteger();
    // Confined to the supervisor thread.
    private int failedPings;
    private boolean checking;
    private long checkedNanos = createdNanos;
    private long measuredNanos = createdNanos - Duration.ofDays(1).toNanos();

    /** Decides what happens to a worker. */
    interface Supervisor {

        /** Responds to a fault. The worker's state reflects the response when this returns. Called on any thread. */
        void faulted(ExternalWorker worker, WorkerFault fault, String description);

        /** Notes that the worker has answered a job properly. Called on any thread. */
        void succeeded(ExternalWorker worker);

        /** Notes that the pool has finished a job of the worker. Called on the worker's thread. */
        void jobEnded(ExternalWorker worker);
    }

    ExternalWorker(Worker worker, Supervisor supervisor) {
        this.worker = worker;
        this.supervisor = supervisor;
        this.log = LoggerFactory.getLogger("heddle.worker." + worker.group());
    }

    Worker worker() {
        return worker;
    }

    String id() {
        return worker.id();
    }

    /** Returns facts about the process to show to people. */
    Map<String, String> facts() {
        RunningProcess running = process;
        return running == null ? Map.of()
                : Map.of("pid", Long.toString(running.identity().pid()), "memory", Long.toString(memory), "cpu",
                        Integer.toString(cpu), "name", name);
    }

    /** Returns the stream for the worker's standard output. */
    OutputStream outputReceiver() {
        return connection.receiver();
    }

    /** Returns the stream for the worker's standard error, which goes to the log line by line. */
    OutputStream errorReceiver() {
        return new LineSplitter(Protocol.MAX_LINE_BYTES, line -> logLine(LogStream.STDERR, switch (line) {
            case OutputLine.Text(String text) -> text;
            case OutputLine.TooLong(String start, long bytes) -> Protocol.truncated(start, bytes);
        }));
    }

    @Override
    public void logLine(String line) {
        logLine(LogStream.STDOUT, line);
    }

    /** Logs a line of the worker, and adds it to the log of the job that the worker runs. */
    private void logLine(LogStream stream, String line) {
        JobContext job = current;
        if (job != null) {
            job.output(stream, line);
        }
        if (!line.isBlank()) {
            lastLogLine = line.strip();
            log.atInfo().addKeyValue("worker", id()).log("{}: {}", id(), abbreviate(line, MAX_LOG_LINE));
        }
    }

    /** Returns the last line that the worker logged, abbreviated. It often says why the worker ended. */
    String lastLogLine() {
        return abbreviate(lastLogLine, MAX_NOTE);
    }

    private static String abbreviate(String line, int length) {
        return line.length() <= length ? line : line.substring(0, length) + "…";
    }

    @Override
    public void protocolViolation(String problem) {
        supervisor.faulted(this, new WorkerFault.ProtocolViolated(violations.incrementAndGet()), problem);
    }

    @Override
    public void inputClosed(String reason) {
        supervisor.faulted(this, new WorkerFault.Exited(), reason);
    }

    void started(RunningProcess running) {
        process = running;
        connection.open(running.input(), id());
    }

    /** Performs the handshake. The future fails if the worker does not respond properly in time. */
    CompletableFuture<Handshake> handshake(String type, Duration timeout) {
        return connection.request(Protocol.INITIALIZE, Handshake.params(id(), type))
                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).thenApply(response -> {
                    Handshake handshake = Handshake.parse(response, type);
                    name = handshake.name();
                    return handshake;
                });
    }

    CompletableFuture<JsonNode> ping(Duration timeout) {
        return connection.request(Protocol.PING, Protocol.object()).orTimeout(timeout.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    void endSession(String session, String reason) {
        connection.send(Protocol.SESSION_END, Protocol.object().put("session", session).put("reason", reason));
    }

    void requestShutdown(String reason) {
        connection.send(Protocol.SHUTDOWN, Protocol.object().put("reason", reason));
    }

    /** Stops the process with the given grace, or with the standard one if it is null. */
    void stop(@Nullable Duration grace) {
        RunningProcess running = process;
        if (running != null) {
            var _ = grace == null ? running.stop() : running.stop(grace);
        }
    }

    /** Closes the connection after the process has ended. */
    void exited(String how) {
        connection.close(how);
    }

    /** Gives the worker no further job. */
    void retire(String reason) {
        retirementReason(reason);
        worker.retire();
    }

    void retirementReason(String reason) {
        retirementReason = reason;
    }

    String retirementReason() {
        return retirementReason;
    }

    /** Notes that the pool has finished the worker's job. */
    void jobEnded() {
        executing = false;
        supervisor.jobEnded(this);
    }

    /** Returns whether a thread of the pool still works on the worker's job, whatever state the worker is in. */
    boolean isExecuting() {
        return executing;
    }

    boolean wasReady() {
        return !name.isEmpty();
    }

    /** Measures memory and processor time, unless that was done within the interval. */
    void measure(Duration interval) {
        RunningProcess running = process;
        long now = System.nanoTime();
        if (running != null && now - measuredNanos >= interval.toNanos()) {
            ProcessTree.Use use = ProcessTree.of(running.identity().pid());
            memory = use.memory();
            cpu = Math.clamp(100 * use.cpu().minus(cpuTime).toNanos() / Math.max(1, now - measuredNanos), 0,
                    Integer.MAX_VALUE);
            cpuTime = use.cpu();
            measuredNanos = now;
        }
    }

    Recycling.Usage usage() {
        long now = System.nanoTime();
        return new Recycling.Usage(worker.jobs(), Duration.ofNanos(now - createdNanos),
                executing ? Duration.ZERO : Duration.ofNanos(now - lastUsedNanos), memory, luck);
    }

    /** Returns whether the worker was neither used nor checked within the interval. If so, a new interval starts. */
    boolean isHealthCheckDue(Duration interval) {
        long now = System.nanoTime();
        boolean due = now - lastUsedNanos >= interval.toNanos() && now - checkedNanos >= interval.toNanos();
        if (due) {
            checkedNanos = now;
        }
        return due;
    }

    /** Begins a health check. Returns false if one is in progress. */
    boolean beginHealthCheck() {
        boolean first = !checking;
        checking = true;
        return first;
    }

    void endHealthCheck() {
        checking = false;
    }

    void pingAnswered() {
        failedPings = 0;
    }

    /** Counts a ping without an answer. Returns how many there were in a row. */
    int pingFailed() {
        return ++failedPings;
    }

    /** Has the worker killed, because it does not stop its job. */
    void abandon(String description) {
        supervisor.faulted(this, new WorkerFault.JobNotStopped(), description);
    }

    /** Runs a job on a thread of the pool. If the thread is interrupted, the worker is killed. */
    JsonNode execute(JsonNode payload, JobContext job, String type) {
        executing = true;
        current = job;
        JobCall call = connection.execute(params(payload, job, type));
        job.cancellation().onCancel(() -> cancel(call, job.cancellation().reason().orElse("cancelled")));
        try {
            return result(call, call.await(new JobMessageHandler(job)), job);
        } catch (InterruptedException e) {
            abandon("it did not stop job " + job.id());
            Thread.currentThread().interrupt();
            job.cancellation().throwIfCancelled();
            throw JobException.transientFailure("interrupted while worker " + id() + " ran the job", e);
        } finally {
            connection.endCall();
            current = null;
            lastUsedNanos = System.nanoTime();
        }
    }

    private static ObjectNode params(JsonNode payload, JobContext job, String type) {
        ObjectNode params = Protocol.object().put("job", job.id().toString()).put("type", type).put("attempt",
                job.attempt());
        params.set("payload", payload);
        params.put("deadline", job.deadline().toString());
        job.checkpoint(JsonNode.class).ifPresent(checkpoint -> params.set("checkpoint", checkpoint));
        job.session().ifPresent(session -> params.put("session", session));
        job.subject().ifPresent(subject -> params.put("subject", subject));
        return params;
    }

    private void cancel(JobCall call, String reason) {
        connection.send(Protocol.CANCEL, Protocol.object().put("id", call.id()).put("reason", reason));
    }

    private JsonNode result(JobCall call, JobCall.End end, JobContext job) {
        return switch (end) {
            case JobCall.End.Result(JsonNode value) -> {
                succeeded();
                yield value;
            }
            case JobCall.End.Failed(RpcError error) -> throw failure(error, job);
            case JobCall.End.Violated(String problem) -> {
                // The worker may still be running the job, which is about to be retried elsewhere.
                cancel(call, "the protocol was violated: " + problem);
                protocolViolation(problem);
                throw JobException.transientFailure("worker " + id() + " violated the protocol: " + problem)
                        .withoutStackTrace();
            }
            case JobCall.End.Lost(String reason) -> throw JobException
                    .transientFailure("WorkerLost: worker " + id() + " was lost while it ran the job: " + reason)
                    .withoutStackTrace();
        };
    }

    private RuntimeException failure(RpcError error, JobContext job) {
        if (error.isUnreadableRequest()) {
            protocolViolation(error.toString());
            return JobException.transientFailure("worker " + id() + " could not read its job: " + error)
                    .withoutStackTrace();
        }
        if (error.code() == RpcError.CANCELLED) {
            succeeded();
            return job.cancellation().isCancelled()
                    ? new JobCancelledException(job.cancellation().reason().orElse("cancelled")) : JobException
                            .transientFailure("worker " + id() + " reported the job as cancelled, but it was not");
        }
        if (error.data().path("fatal").asBoolean(false)) {
            supervisor.faulted(this, new WorkerFault.Fatal(), error.message());
        } else {
            succeeded();
            supervisor.faulted(this, new WorkerFault.JobFailed(), error.message());
        }
        return ReportedError.of(error);
    }

    private void succeeded() {
        violations.set(0);
        supervisor.succeeded(this);
    }
}
