package dev.heddle.external;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import dev.heddle.external.ConformanceCheck.Finding;
import dev.heddle.external.ConformanceCheck.Finding.Level;
import dev.heddle.external.WorkerUnderTest.Answer;
import dev.heddle.job.DurationText;
import dev.heddle.process.Exit;

/** The single checks of {@link ConformanceCheck}. */
final class ConformanceSteps {

    private static final String NOTIFICATION_ANSWERED = "answered, but a notification must not be answered: ";
    private static final String UNKNOWN_TYPE = "heddle-no-such-type";
    /** The shortest job that certainly was still running when the worker got the next message. */
    private static final Duration LONG_JOB = Duration.ofSeconds(1);

    private final ConformanceCheck.Work work;
    private final Consumer<Finding> findings;
    private List<String> types = List.of();
    /** The shortest time that a job took, because a single slow job may just have been delayed. */
    private Duration shortestJob = ChronoUnit.FOREVER.getDuration();
    private boolean answersPings;
    private boolean foundProblems;

    /** Ends the check after a finding that makes further checks pointless. */
    static final class Stopped extends Exception {
        Stopped() {
            super(null, null, false, false);
        }
    }

    ConformanceSteps(ConformanceCheck.Work work, Consumer<Finding> findings) {
        this.work = work;
        this.findings = findings;
    }

    /** Returns whether a finding was {@link Level#WRONG}. */
    boolean foundProblems() {
        return foundProblems;
    }

    private void report(Level level, String subject, String text) {
        foundProblems |= level == Level.WRONG;
        findings.accept(new Finding(level, subject, text));
    }

    void checkHandshake(WorkerUnderTest worker) throws InterruptedException, Stopped {
        String type = typeForHandshake();
        Answer answer = worker.request(Protocol.INITIALIZE, Handshake.params("check/1", type), work.patience());
        if (answer.result() == null) {
            report(Level.WRONG, Protocol.INITIALIZE, answer.text()
                    + "; a worker must answer initialize with {\"protocolVersion\":1,\"name\":\"…\"} within 10 s of its start"
                    + (answer.error() != null && work.type() == null ? "; it was initialized with the type '" + type
                            + "'; give --type if it refuses unknown types" : "")
                    + worker.lastLogLines());
            throw new Stopped();
        }
        try {
            Handshake handshake = Handshake.parse(answer.result(),
                    work.type() == null ? answer.result().path("types").path(0).asString("") : work.type());
            types = handshake.types();
            report(Level.OK, Protocol.INITIALIZE, "'" + handshake.name() + "' speaks version "
                    + handshake.protocolVersion() + (types.isEmpty() ? "" : ", handles " + String.join(", ", types)));
        } catch (IllegalArgumentException e) {
            report(Level.WRONG, Protocol.INITIALIZE, String.valueOf(e.getMessage()));
            throw new Stopped();
        }
    }

    private String typeForHandshake() {
        return work.type() == null ? UNKNOWN_TYPE : work.type();
    }

    /** Checks the requests that every worker must answer, and the notifications that it must ignore. */
    void checkBasics(WorkerUnderTest worker) throws InterruptedException {
        Answer pong = worker.ping();
        answersPings = pong.result() != null;
        report(answersPings ? Level.OK : Level.WRONG, Protocol.PING,
                answersPings ? "answered" : pong.text() + "; a worker must answer with a result such as {} within 5 s");
        Answer unknown = worker.request("heddle/unknown", Protocol.object(), work.answerWithin());
        boolean refused = unknown.error() != null && unknown.error().code() == RpcError.METHOD_NOT_FOUND;
        report(refused ? Level.OK : Level.WRONG, "an unknown request", refused ? "refused"
                : "must be answered with error -32601, or the protocol cannot evolve, but: " + unknown.text());
        // Before the first one is sent, because a fast worker may answer it before the last one is written.
        worker.skipViolations();
        worker.send("heddle/unknown", Protocol.object());
        worker.send(Protocol.CANCEL, Protocol.object().put("id", 999_999).put("reason", "check"));
        worker.send(Protocol.SESSION_END, Protocol.object().put("session", "check").put("reason", "check"));
        Answer still = worker.ping();
        List<String> answers = worker.unreportedViolations();
        report(still.result() == null || !answers.isEmpty() ? Level.WRONG : Level.OK, "unknown notifications",
                still.result() == null ? "after them, it does not answer a ping: " + still.text()
                        : answers.isEmpty() ? "ignored" : NOTIFICATION_ANSWERED + answers.getFirst());
    }

    void checkJobs(WorkerUnderTest worker) throws InterruptedException, Stopped {
        String type = work.type() != null ? work.type() : types.isEmpty() ? null : types.getFirst();
        if (type == null) {
            report(Level.HINT, Protocol.EXECUTE,
                    "not tested, because the worker does not say which types it handles; give --type");
        } else {
            runJob(worker, "a job of type " + type, type);
            runJob(worker, "the next job of type " + type, type);
            pingAndCancelDuringJob(worker, type);
            List<String> messages = worker.jobMessages();
            boolean reports = messages.contains(Protocol.CHECKPOINT) || messages.contains(Protocol.PROGRESS);
            report(Level.OK, "messages during a job",
                    messages.isEmpty() ? "none; a worker may report progress, log, and save checkpoints"
                            : reports ? "progress, log or checkpoint, with the id of the job" : "log lines");
        }
        JobCall.End end = worker.awaitJob(worker.startJob(UNKNOWN_TYPE));
        boolean failed = end instanceof JobCall.End.Failed(RpcError error) && !error.isUnreadableRequest();
        report(failed ? Level.OK : Level.WRONG, "a job of an unknown type",
                failed ? "refused" : "must be answered with error -32000 or -32602, but: " + describe(end));
        List<String> rest = worker.unreportedViolations();
        if (!rest.isEmpty()) {
            report(Level.WRONG, "the protocol", rest.getFirst());
        }
        List<String> stray = worker.strayLines();
        if (!stray.isEmpty()) {
            report(Level.HINT, "standard output",
                    (stray.size() == 1 ? "1 line that is not a message goes"
                            : stray.size() + " lines that are not messages go")
                            + " to the log; use standard output for the protocol only. The first: "
                            + Protocol.abbreviate(stray.getFirst()));
        }
    }

    private void runJob(WorkerUnderTest worker, String subject, String type) throws InterruptedException, Stopped {
        long began = System.nanoTime();
        JobCall.End end = worker.awaitJob(worker.startJob(type));
        tookSince(began);
        switch (end) {
            case JobCall.End.Result _ -> report(Level.OK, subject, "done");
            case JobCall.End.Failed(RpcError error) when error.code() == RpcError.JOB_FAILED -> report(Level.OK,
                    subject, "failed properly: " + error.message() + " (give --payload for a job that succeeds)");
            case JobCall.End.Failed _, JobCall.End.Violated _ ->
                report(Level.WRONG, subject, "must be answered with a result or error -32000, but: " + describe(end));
            case JobCall.End.Lost _ -> {
                report(Level.WRONG, subject, describe(end) + worker.lastLogLines());
                throw new Stopped();
            }
        }
    }

    /** Sends a ping and a cancel right after a job. A short job may end before the worker has seen them. */
    private void pingAndCancelDuringJob(WorkerUnderTest worker, String type) throws InterruptedException {
        long began = System.nanoTime();
        JobCall call = worker.startJob(type);
        // Messages arrive in order, so an answer that arrives after the end of the job was sent too late.
        CompletableFuture<Boolean> pong = worker.sendPing().thenApply(_ -> !call.isEnded());
        worker.send(Protocol.CANCEL, Protocol.object().put("id", call.id()).put("reason", "check"));
        JobCall.End end = worker.awaitJob(call);
        Duration took = tookSince(began);
        if (answersPings) {
            // An answer to the cancel would arrive before the answer to this ping.
            worker.ping();
        }
        List<String> answers = end instanceof JobCall.End.Violated(String what) ? List.of(what)
                : worker.unreportedViolations();
        if (!answers.isEmpty()) {
            report(Level.WRONG, "a cancel during a job", NOTIFICATION_ANSWERED + answers.getFirst());
            return;
        }
        boolean cancelled = end instanceof JobCall.End.Failed(RpcError error) && error.code() == RpcError.CANCELLED;
        if (shortestJob.compareTo(LONG_JOB) < 0) {
            report(cancelled ? Level.OK : Level.HINT, "a cancel during a job", cancelled ? "the job was cancelled"
                    : "the job ended too soon to tell; give --payload for a job that takes a few seconds");
            return;
        }
        boolean answered = pong.isDone() && !pong.isCompletedExceptionally() && pong.join();
        report(answered ? Level.OK : Level.WRONG, "a ping during a job",
                answered ? "answered" : "not answered before the end of the job, after " + DurationText.of(took)
                        + "; a worker must read its input while it runs a job");
        report(cancelled ? Level.OK : answered ? Level.HINT : Level.WRONG, "a cancel during a job",
                cancelled ? "the job was cancelled" : "the job was not cancelled; after " + DurationText.of(took) + ": "
                        + describe(end) + "; a worker must answer with error -32800 within a second, or it is killed");
    }

    private Duration tookSince(long began) {
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        shortestJob = took.compareTo(shortestJob) < 0 ? took : shortestJob;
        return took;
    }

    void checkShutdown(WorkerUnderTest worker) throws InterruptedException {
        worker.send(Protocol.SHUTDOWN, Protocol.object().put("reason", "check"));
        awaitExit(worker, "shutdown", work.timing().shutdown());
    }

    void checkEndOfInput(WorkerUnderTest worker) throws InterruptedException, Stopped {
        Answer answer = worker.request(Protocol.INITIALIZE, Handshake.params("check/2", typeForHandshake()),
                work.patience());
        if (answer.result() == null) {
            report(Level.WRONG, Protocol.INITIALIZE, "a second worker did not start: " + answer.text());
            throw new Stopped();
        }
        worker.closeInput();
        awaitExit(worker, "the end of its input", work.answerWithin());
    }

    private void awaitExit(WorkerUnderTest worker, String subject, Duration timeout) throws InterruptedException {
        try {
            Exit exit = worker.awaitExit(timeout);
            boolean clean = exit != null && exit.isClean();
            report(clean ? Level.OK : Level.HINT, subject,
                    clean ? "ended by itself" : "ended, but not with exit code 0: " + exit);
        } catch (TimeoutException e) {
            report(Level.WRONG, subject, "still running after " + DurationText.of(timeout)
                    + "; a worker must end on shutdown, and at the end of its input");
        }
    }

    private static String describe(JobCall.End end) {
        return switch (end) {
            case JobCall.End.Result _ -> "it answered with a result";
            case JobCall.End.Failed(RpcError error) -> "it answered with error " + error;
            case JobCall.End.Violated(String what) -> what;
            case JobCall.End.Lost(String why) -> why;
        };
    }
}
