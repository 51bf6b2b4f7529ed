package dev.heddle.agent;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.heddle.agent.Agent.OnNodeDeath;
import dev.heddle.agent.EndRules.Cause;
import dev.heddle.agent.EndRules.Next;
import dev.heddle.agent.EndRules.Signs;
import dev.heddle.budget.Spend;
import dev.heddle.conversation.Cost;
import dev.heddle.conversation.Tally;
import dev.heddle.conversation.Tokens;
import dev.heddle.conversation.Totals;
import dev.heddle.conversation.Words;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.process.Exit;
import dev.heddle.process.Input;
import dev.heddle.process.Launch;
import dev.heddle.process.LaunchException;
import dev.heddle.process.Output;
import dev.heddle.process.Variable;
import dev.heddle.search.TextIndex;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at an agent's job. Before it starts an agent it looks for what earlier attempts left on this machine: a run
 * that goes on, or has ended and nobody took note, is taken over; a session that broke off goes on. Only where there is
 * neither is there something to pay for anew.
 */
final class AgentAttempt {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    private static final Duration BETWEEN_BILLS = Duration.ofSeconds(5);
    /** Until it is killed. The pool's own patience may be shorter, and then that counts. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Agents agents;
    private final Agent agent;
    private final AgentTask task;
    private final JobContext job;
    private final CountDownLatch stopped = new CountDownLatch(1);

    AgentAttempt(Agents agents, Agent agent, AgentTask task, JobContext job) {
        this.agents = agents;
        this.agent = agent;
        this.task = task;
        this.job = job;
    }

    AgentReport run() throws IOException {
        job.cancellation().onCancel(stopped::countDown);
        Optional<AgentFiles> last = AgentFiles.of(agents.home(), job.id()).stream().findFirst();
        if (last.isPresent()) {
            Optional<AgentReport> told = last.get().end();
            if (told.isPresent() && told.get().reason() == null) {
                job.log().info("The run of attempt {} had ended well, and its node before it could say so",
                        last.get().attempt());
                return told.get();
            }
            Optional<Run> alive = told.isPresent() ? Optional.empty() : Run.find(last.get().directory());
            if (alive.isPresent()) {
                job.log().info("Took over the run that attempt {} started", last.get().attempt());
                return follow(last.get(), alive.get());
            }
        }
        return start(last.isPresent() ? interrupted(last.get()) : null);
    }

    /** What a run that broke off leaves to go on with; null where it is better to begin anew. */
    private @Nullable AgentReport interrupted(AgentFiles files) throws IOException {
        AgentReport told = files.end().orElse(null);
        if (told == null) {
            Tally tally = files.start().tally();
            new Tail(files.transcript(), agent.adapter().reader()).rest(tally::add);
            told = report(files, tally.totals(agents.prices()),
                    new Ending.Failed(Ending.Reason.EXIT, "its node ended", null), Exit.KILLED);
            settle(files, told);
        }
        return told.session() == null || told.reason() == null || !told.reason().resumes() ? null : told;
    }

    private AgentReport start(@Nullable AgentReport before) throws IOException {
        String session = before != null ? before.session() : task.session();
        boolean resumed = session != null;
        if (session == null && agent.adapter().takesSessionId()) {
            session = UUID.randomUUID().toString();
        }
        String prompt = before == null ? task.prompt()
                : "You were interrupted. Go on with your task, which was:\n\n" + task.prompt();
        AgentFiles files = new AgentFiles(agents.home(), job.id(), job.attempt());
        Tokens used = before == null || before.ofSession() == null ? Tokens.NONE : before.ofSession();
        files.begin(prompt, new AgentFiles.Start(agent.adapter().name(), agent.call().model(), agents.clock().instant(), used));
        agents.purse().begin(job.id(), job.attempt(), agent.name(), job.tags());
        Launch launch = launch(files, agent.call().line(agent.adapter(), session, resumed));
        try {
            Run run = agent.onNodeDeath() == OnNodeDeath.ADOPT
                    ? Run.detached(files.directory(), launch,
                            Duration.between(agents.clock().instant(), job.deadline()))
                    : Run.bound(agents.processes().start(launch));
            job.log().info("Started {}{}", agent.call().program(), resumed ? ", which goes on with session " + session : "");
            return follow(files, run);
        } catch (LaunchException e) {
            String message = String.valueOf(e.getMessage());
            throw e.kind().isTransient() ? JobException.transientFailure(message, e) : JobException.permanent(message, e);
        }
    }

    private Launch launch(AgentFiles files, List<String> line) {
        Map<Variable, String> told = Map.of(Variable.JOB_ID, job.id().toString(), Variable.ATTEMPT,
                Integer.toString(job.attempt()));
        return Launch.of("job " + job.id() + "/" + job.attempt(), line).in(agent.place().directory())
                .environment(agents.environment(agent, told)).input(Input.from(files.prompt()))
                .output(Output.to(files.transcript().file())).errors(Output.to(files.errors()));
    }

    private AgentReport follow(AgentFiles files, Run run) throws IOException {
        Tally tally = files.start().tally();
        Tail tail = new Tail(files.transcript(), agent.adapter().reader());
        Instant lastOutput = agents.clock().instant();
        Instant billed = Instant.EPOCH;
        while (true) {
            Optional<Exit> exit = run.exit();
            if (tail.poll(tally::add)) {
                lastOutput = agents.clock().instant();
                job.heartbeat();
                if (lastOutput.isAfter(billed.plus(BETWEEN_BILLS))) {
                    bill(files, tally.totals(agents.prices()));
                    billed = lastOutput;
                }
            }
            if (exit.isPresent()) {
                return end(files, tally, tail, new Cause.Exited(exit.get().code()), exit.get().code());
            }
            if (job.cancellation().isCancelled()) {
                throw cancelled(files, run, tally, tail);
            }
            Next next = agent.ends().next(new Signs(lastOutput, tally.hasResult()), agents.clock().instant());
            if (next instanceof Next.End(Cause cause)) {
                return end(files, tally, tail, cause, run.stop(GRACE).code());
            }
            pause();
        }
    }

    /** An interrupt comes only after a cancellation that nobody heard. */
    private void pause() {
        try {
            if (stopped.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS)) {
                job.log().debug("Stopped");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobCancelledException("interrupted");
        }
    }

    /** A run that outlives its node is left alone when the node ends; whoever cancels it, or waits no longer, ends it. */
    private JobCancelledException cancelled(AgentFiles files, Run run, Tally tally, Tail tail) throws IOException {
        String reason = job.cancellation().reason().orElse("cancelled");
        if (job.cancellation().goesBack() && agent.onNodeDeath() == OnNodeDeath.ADOPT) {
            job.log().info("Left to go on by itself: {}", reason);
        } else {
            int code = run.stop(GRACE).code();
            tail.rest(tally::add);
            Totals totals = tally.totals(agents.prices());
            settle(files, report(files, totals, EndRules.ending(agent.adapter(), totals, new Cause.Stopped(reason),
                    agents.clock().instant()), code));
        }
        return new JobCancelledException(reason);
    }

    private AgentReport end(AgentFiles files, Tally tally, Tail tail, Cause cause, int exitCode) throws IOException {
        tail.rest(tally::add);
        Totals totals = tally.totals(agents.prices());
        Ending ending = EndRules.ending(agent.adapter(), totals, cause, agents.clock().instant());
        AgentReport report = report(files, totals, ending, exitCode);
        settle(files, report);
        if (ending instanceof Ending.Failed failed) {
            throw failure(failed, files);
        }
        return report;
    }

    private AgentReport report(AgentFiles files, Totals totals, Ending ending, int exitCode) throws IOException {
        bill(files, totals);
        Instant now = agents.clock().instant();
        Instant startedAt = files.start().at();
        return switch (ending) {
            case Ending.Succeeded(String text) -> new AgentReport(text, null, files.attempt(), totals.session(),
                    totals.tokens(), totals.ofSession(), totals.cost(), exitCode, startedAt, now);
            case Ending.Failed failed -> new AgentReport(failed.message(), failed.reason(), files.attempt(),
                    totals.session(), totals.tokens(), totals.ofSession(), totals.cost(), exitCode, startedAt, now);
        };
    }

    private void bill(AgentFiles files, Totals totals) throws IOException {
        Instant now = agents.clock().instant();
        Cost cost = totals.cost();
        agents.purse().record(new Spend(job.id(), files.attempt(), agent.name(), job.tags(),
                files.start().at(), now, cost == null ? BigDecimal.ZERO : cost.usd(),
                cost == null || cost.basis() == Cost.Basis.ESTIMATED, totals.tokens().total()));
    }

    /** From here on nobody takes the run over. */
    private void settle(AgentFiles files, AgentReport report) throws IOException {
        agents.texts().index(job.id(), files.attempt(), words(files));
        files.end(report);
        if (Files.exists(files.transcript().file())) {
            files.transcript().compress();
        }
    }

    private String words(AgentFiles files) throws IOException {
        Words words = new Words(TextIndex.MOST);
        words.add(Files.readString(files.prompt()));
        new Tail(files.transcript(), agent.adapter().reader()).rest(words::add);
        return words.toString();
    }

    private static JobException failure(Ending.Failed failed, AgentFiles files) throws IOException {
        String said = failed.reason() == Ending.Reason.EXIT ? lastLine(files) : "";
        String message = failed.message() + (said.isEmpty() ? "" : ": " + said);
        JobException failure = failed.reason().category() == FailureCategory.PERMANENT ? JobException.permanent(message)
                : JobException.transientFailure(message);
        return failed.retryAfter() == null ? failure : failure.retryAfter(failed.retryAfter());
    }

    private static String lastLine(AgentFiles files) throws IOException {
        if (!Files.exists(files.errors())) {
            return "";
        }
        try (var in = Files.newInputStream(files.errors())) {
            in.skipNBytes(Math.max(0, Files.size(files.errors()) - 4096));
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(line -> !line.isBlank()).reduce((_, later) -> later).map(String::strip).orElse("");
        }
    }
}
