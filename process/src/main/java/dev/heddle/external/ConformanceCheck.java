package dev.heddle.external;

import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import dev.heddle.external.ConformanceCheck.Finding.Level;
import dev.heddle.external.ExternalSettings.Timing;
import dev.heddle.job.JobId;
import dev.heddle.job.SpanText;
import dev.heddle.process.EnvironmentRules;
import dev.heddle.process.Exit;
import dev.heddle.process.Input;
import dev.heddle.process.Launch;
import dev.heddle.process.Output;
import dev.heddle.process.Processes;
import dev.heddle.process.RunningProcess;
import dev.heddle.process.Variable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells the author of a worker, in any language, what is wrong with it: starts it, speaks with it as Heddle would and as
 * Heddle would not, and says what each answer should have been.
 */
public final class ConformanceCheck {

    private static final String ANSWERED = "answered, and what has no id gets no answer: ";
    private static final String NOBODYS_TYPE = "heddle-no-such-type";
    /** From when on a job counts as one that was running while the worker was told something. */
    private static final Duration LONG_JOB = Duration.ofSeconds(1);

    private final Processes processes;
    private final List<String> command;
    private final Path directory;
    private final Work work;

    /**
     * What the worker is asked to do.
     *
     * @param type the job type; null for the first that it says it knows
     * @param payload what it gets
     * @param patience how long it may take for each answer
     * @param timing what a node would give it for what is no job
     */
    public record Work(@Nullable String type, JsonNode payload, Duration patience, Timing timing) {

        public Work(@Nullable String type, JsonNode payload, Duration patience) {
            this(type, payload, patience, Timing.STANDARD);
        }

        Duration answerWithin() {
            Duration usual = timing.healthAnswer();
            return patience.compareTo(usual) < 0 ? patience : usual;
        }
    }

    /** One thing that was looked at. */
    public record Finding(Level level, String subject, String text) {

        /** How bad it is. */
        public enum Level {
            /** As it should be. */
            OK,
            /** Works, and could be better. */
            HINT,
            /** Against the protocol. */
            WRONG
        }
    }

    /** The check cannot go on; what is wrong has been said. */
    private static final class Stopped extends Exception {
        Stopped() {
            super(null, null, false, false);
        }
    }

    public ConformanceCheck(Processes processes, List<String> command, Path directory, Work work) {
        this.processes = processes;
        this.command = List.copyOf(command);
        this.directory = directory;
        this.work = work;
    }

    /** Checks, telling each finding as it is made; returns whether nothing was wrong. */
    public boolean run(Consumer<Finding> told) throws InterruptedException {
        Subject first = new Subject(told);
        try {
            first.start();
            try {
                first.handshake();
                first.small();
                first.jobs();
                first.shutdown();
            } finally {
                first.end();
            }
            Subject second = new Subject(told);
            second.start();
            try {
                second.endOfInput();
            } finally {
                second.end();
            }
            return !first.wrong && !second.wrong;
        } catch (Stopped e) {
            return false;
        }
    }

    /** One process of the worker under test. */
    private final class Subject implements Conversation.Listener, Exchange.Desk {

        private final Consumer<Finding> told;
        private final Conversation conversation = new Conversation(this);
        private final List<String> chatter = new CopyOnWriteArrayList<>();
        private final List<String> broken = new CopyOnWriteArrayList<>();
        /** How much of what is broken has been told. */
        private int brokenTold;
        private final List<String> saidInJob = new ArrayList<>();
        private @Nullable RunningProcess process;
        private @Nullable CompletableFuture<Exit> exit;
        /** Completes once its end was told to whoever waits for an answer. */
        private @Nullable CompletableFuture<Void> over;
        private List<String> types = List.of();
        /** What the shortest of its jobs took: what held one of them up once is no work. */
        private Duration shortestJob = ChronoUnit.FOREVER.getDuration();
        private boolean answersPings;
        private boolean wrong;

        Subject(Consumer<Finding> told) {
            this.told = told;
        }

        @Override
        public void chatter(String line) {
            chatter.add(line);
        }

        @Override
        public void broke(String what) {
            broken.add(what);
        }

        /** Where it does not read because it has ended, whoever waits for an answer is told that instead. */
        @Override
        public void deaf(String why) {
            CompletableFuture<Void> told = over;
            if (told != null) {
                told.copy().completeOnTimeout(null, work.answerWithin().toMillis(), TimeUnit.MILLISECONDS)
                        .join();
            }
        }

        @Override
        public void heard() {}

        @Override
        public void progress(long current, long total, String message) {
            saidInJob.add(Protocol.PROGRESS);
        }

        @Override
        public void log(String level, String message) {
            saidInJob.add(Protocol.LOG);
        }

        @Override
        public void checkpoint(JsonNode value) {
            saidInJob.add(Protocol.CHECKPOINT);
        }

        private void say(Level level, String subject, String text) {
            wrong |= level == Level.WRONG;
            told.accept(new Finding(level, subject, text));
        }

        void start() {
            RunningProcess started = processes.start(Launch.of("check of " + command.getFirst(), command)
                    .in(directory)
                    .environment(EnvironmentRules.standard().environment(System.getenv(),
                            Map.of(Variable.WORKER_ID, "check/1"), Map.of()))
                    .input(Input.pipe()).output(Output.to(conversation.ear()))
                    .errors(Output.to(new LineSplitter(Protocol.LONGEST_LINE, line -> {
                        if (line instanceof Line.Text(String text)) {
                            chatter.add("(stderr) " + text);
                        }
                    }))));
            process = started;
            CompletableFuture<Exit> ending = started.exit().toCompletableFuture();
            exit = ending;
            over = ending.thenAccept(how -> conversation.over("it ended: " + how));
            conversation.open(started.input(), "check");
        }

        void handshake() throws InterruptedException, Stopped {
            String asked = work.type() == null ? NOBODYS_TYPE : work.type();
            Answer answer = ask(Protocol.INITIALIZE, Handshake.question("check/1", asked), work.patience());
            if (answer.result() == null) {
                say(Level.WRONG, Protocol.INITIALIZE, answer.why()
                        + "; a worker answers initialize with {\"protocolVersion\":1,\"name\":\"…\"} within 10 s of its start"
                        + (answer.error() != null && work.type() == null
                                ? "; it was asked for the type '" + asked
                                        + "': give --type if it refuses what it does not know"
                                : "")
                        + lastWords());
                throw new Stopped();
            }
            try {
                Handshake handshake = Handshake.read(answer.result(),
                        work.type() == null ? answer.result().path("types").path(0).asString("")
                                : work.type());
                types = handshake.types();
                say(Level.OK, Protocol.INITIALIZE, "'" + handshake.name() + "' speaks version "
                        + handshake.protocolVersion()
                        + (types.isEmpty() ? "" : ", handles " + String.join(", ", types)));
            } catch (IllegalArgumentException e) {
                say(Level.WRONG, Protocol.INITIALIZE, String.valueOf(e.getMessage()));
                throw new Stopped();
            }
        }

        /** What every worker must answer, and what it must not mind. */
        void small() throws InterruptedException {
            Answer pong = ask(Protocol.PING, Protocol.object(), work.answerWithin());
            answersPings = pong.result() != null;
            say(answersPings ? Level.OK : Level.WRONG, Protocol.PING,
                    answersPings ? "answered"
                            : pong.why() + "; a worker answers with a result, {} is enough, within 5 s");
            Answer unknown = ask("heddle/unknown", Protocol.object(), work.answerWithin());
            boolean refused = unknown.error() != null && unknown.error().code() == RpcError.METHOD_NOT_FOUND;
            say(refused ? Level.OK : Level.WRONG, "an unknown request", refused ? "refused"
                    : "should be answered with error -32601, so that the protocol can grow, but: "
                            + unknown.why());
            conversation.tell("heddle/unknown", Protocol.object());
            conversation.tell(Protocol.CANCEL, Protocol.object().put("id", 999_999).put("reason", "check"));
            conversation.tell(Protocol.SESSION_END,
                    Protocol.object().put("session", "check").put("reason", "check"));
            brokenTold = broken.size();
            Answer still = ask(Protocol.PING, Protocol.object(), work.answerWithin());
            List<String> answers = brokenUntold();
            say(still.result() == null || !answers.isEmpty() ? Level.WRONG : Level.OK,
                    "notifications it need not know",
                    still.result() == null ? "it does not answer a ping after them: " + still.why()
                            : answers.isEmpty() ? "ignored"
                                    : ANSWERED + answers.getFirst());
        }

        void jobs() throws InterruptedException, Stopped {
            String type = work.type() != null ? work.type() : types.isEmpty() ? null : types.getFirst();
            if (type == null) {
                say(Level.HINT, Protocol.EXECUTE,
                        "not tried: it does not say which types it handles; give --type");
            } else {
                job("a job of type " + type, type);
                job("the next job of type " + type, type);
                interrupted(type);
                boolean told = saidInJob.contains(Protocol.CHECKPOINT)
                        || saidInJob.contains(Protocol.PROGRESS);
                say(Level.OK, "what it says in a job", saidInJob.isEmpty()
                        ? "nothing; it may tell progress and log, and save checkpoints"
                        : told ? "progress, log or checkpoint, under the number of the job" : "log lines");
            }
            Exchange.End end = execute(NOBODYS_TYPE);
            boolean failed = end instanceof Exchange.End.Failed(RpcError error)
                    && !error.isMisunderstanding();
            say(failed ? Level.OK : Level.WRONG, "a job of a type it does not have", failed
                    ? "fails, and says so"
                    : "should be answered with an error of code -32000 or -32602, but: " + words(end));
            List<String> rest = brokenUntold();
            if (!rest.isEmpty()) {
                say(Level.WRONG, "the protocol", rest.getFirst());
            }
            List<String> stray = chatter.stream().filter(line -> !line.startsWith("(stderr)")).toList();
            if (!stray.isEmpty()) {
                say(Level.HINT, "standard output", (stray.size() == 1 ? "1 line that is no message goes"
                        : stray.size() + " lines that are no messages go")
                        + " to the log; keep standard output for the protocol. The first: "
                        + Protocol.shortened(stray.getFirst()));
            }
        }

        /** What it said against the protocol that stands on no other line. */
        private List<String> brokenUntold() {
            List<String> rest = List.copyOf(broken.subList(brokenTold, broken.size()));
            brokenTold += rest.size();
            return rest;
        }

        private void job(String subject, String type) throws InterruptedException, Stopped {
            long began = System.nanoTime();
            Exchange.End end = execute(type);
            tookSince(began);
            switch (end) {
                case Exchange.End.Result _ -> say(Level.OK, subject, "done");
                case Exchange.End.Failed(RpcError error) when error.code() == RpcError.JOB_FAILED ->
                    say(Level.OK, subject, "failed, and said so: " + error.message()
                            + " (give --payload for one that it can do)");
                case Exchange.End.Failed _,Exchange.End.Broken _ -> say(Level.WRONG, subject,
                        "should be answered with a result, or an error of code -32000, but: " + words(end));
                case Exchange.End.Lost _ -> {
                    say(Level.WRONG, subject, words(end) + lastWords());
                    throw new Stopped();
                }
            }
        }

        /** A ping and a cancel right behind a job. What can be told of it depends on how long the job takes. */
        private void interrupted(String type) throws InterruptedException {
            long began = System.nanoTime();
            Exchange exchange = start(type);
            // What it says is heard in its order: an answer that comes behind that of the job came too late.
            CompletableFuture<Boolean> pong = conversation.ask(Protocol.PING, Protocol.object())
                    .thenApply(_ -> !exchange.isOver());
            conversation.tell(Protocol.CANCEL,
                    Protocol.object().put("id", exchange.id()).put("reason", "check"));
            Exchange.End end = await(exchange);
            Duration took = tookSince(began);
            if (answersPings) {
                // What it says to the cancel comes before its answer to this.
                ask(Protocol.PING, Protocol.object(), work.answerWithin());
            }
            List<String> answers = end instanceof Exchange.End.Broken(String what) ? List.of(what)
                    : brokenUntold();
            if (!answers.isEmpty()) {
                say(Level.WRONG, "a cancel while it works", ANSWERED + answers.getFirst());
                return;
            }
            boolean gaveUp = end instanceof Exchange.End.Failed(RpcError error)
                    && error.code() == RpcError.CANCELLED;
            if (shortestJob.compareTo(LONG_JOB) < 0) {
                say(gaveUp ? Level.OK : Level.HINT, "a cancel while it works", gaveUp ? "given up"
                        : "the job was over too soon to tell; give --payload for one that takes some seconds");
                return;
            }
            boolean heard = pong.isDone() && !pong.isCompletedExceptionally() && pong.join();
            say(heard ? Level.OK : Level.WRONG, "a ping while it works", heard ? "answered"
                    : "not answered until the job was over, after " + SpanText.of(took)
                            + "; a worker goes on reading while it runs a job");
            say(gaveUp ? Level.OK : heard ? Level.HINT : Level.WRONG, "a cancel while it works",
                    gaveUp ? "given up"
                            : "the job was not given up, but after " + SpanText.of(took) + ": " + words(end)
                                    + "; a worker answers with error -32800 within a second, or is killed");
        }

        private Duration tookSince(long began) {
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            shortestJob = took.compareTo(shortestJob) < 0 ? took : shortestJob;
            return took;
        }

        private Exchange.End execute(String type) throws InterruptedException {
            return await(start(type));
        }

        private Exchange start(String type) {
            ObjectNode params = Protocol.object().put("job", JobId.next().toString()).put("type", type)
                    .put("attempt", 1);
            params.set("payload", work.payload());
            params.put("deadline", "2100-01-01T00:00:00Z");
            return conversation.execute(params);
        }

        private Exchange.End await(Exchange exchange) throws InterruptedException {
            CompletableFuture<Void> overdue = new CompletableFuture<>();
            var _ = overdue.completeOnTimeout(null, work.patience().toMillis(), TimeUnit.MILLISECONDS)
                    .thenAccept(
                            _ -> exchange.over(new Exchange.End.Lost(
                                    "no answer within " + SpanText.of(work.patience()))));
            try {
                return exchange.await(this);
            } finally {
                overdue.cancel(false);
                conversation.executed();
            }
        }

        void shutdown() throws InterruptedException {
            conversation.tell(Protocol.SHUTDOWN, Protocol.object().put("reason", "check"));
            awaitEnd("shutdown", work.timing().shutdown());
        }

        void endOfInput() throws InterruptedException, Stopped {
            Answer answer = ask(Protocol.INITIALIZE, Handshake.question("check/2",
                    work.type() == null ? NOBODYS_TYPE : work.type()), work.patience());
            if (answer.result() == null) {
                say(Level.WRONG, Protocol.INITIALIZE, "a second worker does not start: " + answer.why());
                throw new Stopped();
            }
            conversation.over("end of the check");
            awaitEnd("the end of its input", work.answerWithin());
        }

        private void awaitEnd(String of, Duration within) throws InterruptedException {
            try {
                CompletableFuture<Exit> ending = exit;
                Exit how = ending == null ? null : ending.get(within.toMillis(), TimeUnit.MILLISECONDS);
                boolean clean = how != null && how.isClean();
                say(clean ? Level.OK : Level.HINT, of, clean ? "ends by itself"
                        : "ends, but not with exit code 0: " + how);
            } catch (TimeoutException e) {
                say(Level.WRONG, of, "it still runs after " + SpanText.of(within)
                        + "; a worker ends when it is told to, and when nobody is there to tell it");
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        void end() {
            RunningProcess running = process;
            if (running != null) {
                running.stop(Duration.ZERO).toCompletableFuture().join();
            }
        }

        private record Answer(@Nullable JsonNode result, @Nullable RpcError error, String why) {}

        private Answer ask(String method, ObjectNode params, Duration within) throws InterruptedException {
            int brokenBefore = broken.size();
            int chatterBefore = chatter.size();
            try {
                JsonNode result = conversation.ask(method, params).get(within.toMillis(),
                        TimeUnit.MILLISECONDS);
                return new Answer(result, null, "it answered " + Protocol.shortened(result.toString()));
            } catch (ExecutionException e) {
                RpcError error = e.getCause() instanceof Conversation.UnansweredException unanswered
                        ? unanswered.error()
                        : null;
                return new Answer(null, error,
                        String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()));
            } catch (TimeoutException e) {
                return new Answer(null, null, "no answer within " + SpanText.of(within)
                        + insteadOfAnAnswer(brokenBefore, chatterBefore));
            }
        }

        private String insteadOfAnAnswer(int brokenBefore, int chatterBefore) {
            if (broken.size() > brokenBefore) {
                return ", but " + broken.getLast();
            }
            return chatter.stream().skip(chatterBefore).filter(line -> line.startsWith("{")).findFirst()
                    .map(line -> ", but a line that is no message, which has \"jsonrpc\":\"2.0\": "
                            + Protocol.shortened(line))
                    .orElse("");
        }

        private static String words(Exchange.End end) {
            return switch (end) {
                case Exchange.End.Result _ -> "it answered with a result";
                case Exchange.End.Failed(RpcError error) -> "it answered with error " + error;
                case Exchange.End.Broken(String what) -> what;
                case Exchange.End.Lost(String why) -> why;
            };
        }

        /** The end of what it wrote, for whoever has to find out why. */
        private String lastWords() {
            int from = Math.max(0, chatter.size() - 5);
            return chatter.isEmpty() ? ""
                    : "\n  " + String.join("\n  ", chatter.subList(from, chatter.size()));
        }
    }
}
