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
import dev.heddle.process.RunningProcess;
import dev.heddle.worker.Worker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One worker's process and the conversation with it. What becomes of it is decided by {@link ExternalWorkforce}. */
final class ExternalWorker implements Conversation.Listener {

    private static final int LONGEST_LOG_LINE = 2_000;
    private static final int LONGEST_NOTE = 200;

    private final Worker worker;
    private final Logger log;
    private final Conversation conversation = new Conversation(this);
    private final Guardian guardian;
    private final long bornNanos = System.nanoTime();
    /** Its own number from 0 to 1, for the jitter of its recycling. */
    private final double luck = ThreadLocalRandom.current().nextDouble();
    private volatile long usedNanos = bornNanos;
    private volatile @Nullable RunningProcess process;
    private volatile long memory;
    private volatile boolean atWork;
    private volatile String name = "";
    private volatile String retirement = "";
    private volatile String lastWords = "";
    private final AtomicInteger faults = new AtomicInteger();
    // The crew's.
    private int unanswered;
    private boolean checking;
    private long checkedNanos = bornNanos;
    private long measuredNanos = bornNanos - Duration.ofDays(1).toNanos();

    /** Who decides what becomes of a worker. */
    interface Guardian {
        /** Something is wrong with it. Its state says so before this returns. */
        void trouble(ExternalWorker worker, Trouble trouble, String what);

        /** It did a job without trouble. */
        void proved(ExternalWorker worker);

        /** It has ended a job. On the worker's thread. */
        void rested(ExternalWorker worker);
    }

    ExternalWorker(Worker worker, Guardian guardian) {
        this.worker = worker;
        this.guardian = guardian;
        this.log = LoggerFactory.getLogger("heddle.worker." + worker.group());
    }

    Worker worker() {
        return worker;
    }

    String id() {
        return worker.id();
    }

    /** What is known of it, for people. */
    Map<String, String> facts() {
        RunningProcess running = process;
        return running == null ? Map.of()
                : Map.of("pid", Long.toString(running.identity().pid()), "memory", Long.toString(memory),
                        "name", name);
    }

    OutputStream ear() {
        return conversation.ear();
    }

    /** Where its errors go: line by line into the log. */
    OutputStream errors() {
        return new LineSplitter(Protocol.LONGEST_LINE, line -> chatter(switch (line) {
            case Line.Text(String text) -> text;
            case Line.TooLong(String start, long bytes) -> start + "… (a line of " + bytes + " bytes, cut)";
        }));
    }

    @Override
    public void chatter(String line) {
        if (!line.isBlank()) {
            lastWords = line.strip();
            log.atInfo().addKeyValue("worker", id()).log("{}: {}", id(),
                    line.length() <= LONGEST_LOG_LINE ? line : line.substring(0, LONGEST_LOG_LINE) + "…");
        }
    }

    /** The last line that it wrote beside its messages, cut where it is long: often why it ended. */
    String lastWords() {
        String line = lastWords;
        return line.length() <= LONGEST_NOTE ? line : line.substring(0, LONGEST_NOTE) + "…";
    }

    @Override
    public void broke(String what) {
        guardian.trouble(this, new Trouble.ProtocolBroken(faults.incrementAndGet()), what);
    }

    @Override
    public void deaf(String why) {
        guardian.trouble(this, new Trouble.Exited(), why);
    }

    void started(RunningProcess running) {
        process = running;
        conversation.open(running.input(), id());
    }

    /** Shakes hands; completes exceptionally, with a line for people, where it does not answer as it should in time. */
    CompletableFuture<Handshake> shakeHands(String type, Duration within) {
        return conversation.ask(Protocol.INITIALIZE, Handshake.question(id(), type))
                .orTimeout(within.toMillis(), TimeUnit.MILLISECONDS).thenApply(answer -> {
                    Handshake handshake = Handshake.read(answer, type);
                    name = handshake.name();
                    return handshake;
                });
    }

    CompletableFuture<JsonNode> ping(Duration within) {
        return conversation.ask(Protocol.PING, Protocol.object()).orTimeout(within.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    void endSession(String session, String reason) {
        conversation.tell(Protocol.SESSION_END,
                Protocol.object().put("session", session).put("reason", reason));
    }

    void tellToEnd(String reason) {
        conversation.tell(Protocol.SHUTDOWN, Protocol.object().put("reason", reason));
    }

    /** Ends its process and all that belongs to it; killed where it does not within the time, or the standard one. */
    void stop(@Nullable Duration grace) {
        RunningProcess running = process;
        if (running != null) {
            var _ = grace == null ? running.stop() : running.stop(grace);
        }
    }

    /** Its process is gone. */
    void gone(String how) {
        conversation.over(how);
    }

    /** Takes no further job. */
    void retire(String reason) {
        retirement(reason);
        worker.leave();
    }

    void retirement(String reason) {
        retirement = reason;
    }

    /** Why it is to go. */
    String retirement() {
        return retirement;
    }

    /** Its job is over, and so is all that the pool did for it. */
    void rested() {
        atWork = false;
        guardian.rested(this);
    }

    /** Whether a thread of the pool is still about its job, in whatever state it is. */
    boolean isAtWork() {
        return atWork;
    }

    /** Whether it ever was ready. */
    boolean wasReady() {
        return !name.isEmpty();
    }

    /** Measures its memory anew where that was not done for a while. */
    void measure(Duration every) {
        RunningProcess running = process;
        long now = System.nanoTime();
        if (running != null && now - measuredNanos >= every.toNanos()) {
            memory = ResidentMemory.of(running.identity().pid());
            measuredNanos = now;
        }
    }

    /** What it has behind it. */
    Recycling.Use use() {
        long now = System.nanoTime();
        return new Recycling.Use(worker.jobs(), Duration.ofNanos(now - bornNanos),
                atWork ? Duration.ZERO : Duration.ofNanos(now - usedNanos), memory, luck);
    }

    /** Whether nothing was heard of it for so long; the next time counts from now. */
    boolean isDueForACheck(Duration every) {
        long now = System.nanoTime();
        boolean due = now - usedNanos >= every.toNanos() && now - checkedNanos >= every.toNanos();
        if (due) {
            checkedNanos = now;
        }
        return due;
    }

    /** One check at a time; says whether another one may begin. */
    boolean beginCheck() {
        boolean first = !checking;
        checking = true;
        return first;
    }

    void endCheck() {
        checking = false;
    }

    /** Answered a ping. */
    void isWell() {
        unanswered = 0;
    }

    /** Did not answer a ping; says how often that was so in a row. */
    int isIll() {
        return ++unanswered;
    }

    void isStuck(String what) {
        guardian.trouble(this, new Trouble.JobTimedOut(), what);
    }

    /** Runs a job, on a thread of the pool. Interrupting it kills the worker. */
    JsonNode execute(JsonNode payload, JobContext job, String type) {
        atWork = true;
        Exchange exchange = conversation.execute(question(payload, job, type));
        job.cancellation()
                .onCancel(() -> cancel(exchange, job.cancellation().reason().orElse("cancelled")));
        try {
            return result(exchange, exchange.await(new JobDesk(job)), job);
        } catch (InterruptedException e) {
            guardian.trouble(this, new Trouble.JobTimedOut(), "it did not give up job " + job.id());
            Thread.currentThread().interrupt();
            throw new JobCancelledException("worker " + id() + " did not give up the job and was killed");
        } finally {
            conversation.executed();
            usedNanos = System.nanoTime();
        }
    }

    private static ObjectNode question(JsonNode payload, JobContext job, String type) {
        ObjectNode params = Protocol.object().put("job", job.id().toString()).put("type", type)
                .put("attempt", job.attempt());
        params.set("payload", payload);
        params.put("deadline", job.deadline().toString());
        job.checkpoint(JsonNode.class).ifPresent(checkpoint -> params.set("checkpoint", checkpoint));
        job.session().ifPresent(session -> params.put("session", session));
        job.subject().ifPresent(subject -> params.put("subject", subject));
        return params;
    }

    private void cancel(Exchange exchange, String reason) {
        conversation.tell(Protocol.CANCEL,
                Protocol.object().put("id", exchange.id()).put("reason", reason));
    }

    private JsonNode result(Exchange exchange, Exchange.End end, JobContext job) {
        return switch (end) {
            case Exchange.End.Result(JsonNode value) -> {
                proved();
                yield value;
            }
            case Exchange.End.Failed(RpcError error) -> throw failed(error, job);
            case Exchange.End.Broken(String what) -> {
                // It may go on with the job, which is tried again elsewhere meanwhile.
                cancel(exchange, "the protocol was broken: " + what);
                broke(what);
                throw JobException.transientFailure("worker " + id() + " broke the protocol: " + what);
            }
            case Exchange.End.Lost(String why) ->
                throw JobException.transientFailure(
                        "WorkerLost: worker " + id() + " was lost while it ran the job: " + why);
        };
    }

    private RuntimeException failed(RpcError error, JobContext job) {
        if (error.isMisunderstanding()) {
            broke(error.toString());
            return JobException.transientFailure("worker " + id() + " did not understand its job: " + error);
        }
        if (error.code() == RpcError.CANCELLED) {
            proved();
            return job.cancellation().isCancelled()
                    ? new JobCancelledException(job.cancellation().reason().orElse("cancelled"))
                    : JobException.transientFailure(
                            "worker " + id() + " gave the job up though nobody had asked it to");
        }
        if (error.data().path("fatal").asBoolean(false)) {
            guardian.trouble(this, new Trouble.Fatal(), error.message());
        } else {
            proved();
            guardian.trouble(this, new Trouble.JobFailed(), error.message());
        }
        return ReportedError.of(error);
    }

    private void proved() {
        faults.set(0);
        guardian.proved(this);
    }
}
