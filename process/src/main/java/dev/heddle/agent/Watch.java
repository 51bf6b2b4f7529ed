package dev.heddle.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.heddle.agent.Agent.OnNodeDeath;
import dev.heddle.agent.EndRules.Cause;
import dev.heddle.agent.EndRules.Next;
import dev.heddle.agent.EndRules.Signs;
import dev.heddle.budget.Spend;
import dev.heddle.command.Site;
import dev.heddle.conversation.Cost;
import dev.heddle.conversation.Event;
import dev.heddle.conversation.Tally;
import dev.heddle.conversation.TextView;
import dev.heddle.conversation.Totals;
import dev.heddle.conversation.Words;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.output.OutputReader;
import dev.heddle.process.Exit;
import dev.heddle.run.Run.Usage;
import dev.heddle.search.TextIndex;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;

/** Sees to one run until it has ended: reads what it writes, shows it to people, writes its bill, and keeps what came of it. */
final class Watch {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    private static final Duration BETWEEN_BILLS = Duration.ofSeconds(5);
    /** Until it is killed. The pool's own patience may be shorter, and then that counts. */
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final int LAST_WORDS = 4096;

    private final Agents agents;
    private final Agent agent;
    private final JobContext job;
    private final Site site;
    private final AgentFiles files;
    private final AgentFiles.Start start;
    private final Tally tally;
    private final Tail tail;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private Instant billed = Instant.EPOCH;
    private boolean settled;

    Watch(Agents agents, Agent agent, JobContext job, Site site) {
        this.agents = agents;
        this.agent = agent;
        this.job = job;
        this.site = site;
        this.files = new AgentFiles(site.files());
        try {
            this.start = files.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.tally = start.tally();
        this.tail = new Tail(files.transcript(), agent.adapter().reader());
    }

    AgentReport follow(AgentProcess process) throws IOException {
        job.cancellation().onCancel(stopped::countDown);
        try (Writer shown = files.show()) {
            return follow(process, shown);
        } finally {
            if (!settled) {
                abandon(process);
            }
        }
    }

    private AgentReport follow(AgentProcess process, Writer shown) throws IOException {
        TextView view = new TextView(text -> write(shown, text));
        view.prompt(Files.readString(files.prompt()));
        Instant lastOutput = agents.clock().instant();
        while (true) {
            // The exit first: what was written before it is read below.
            Optional<Exit> exit = process.exit();
            if (tail.poll(event -> hear(event, view))) {
                lastOutput = agents.clock().instant();
                shown.flush();
                site.check();
                job.heartbeat();
                billNowAndThen(lastOutput);
            }
            if (exit.isPresent()) {
                return conclude(new Cause.Exited(exit.get().code()), exit.get().code(), view);
            }
            if (job.cancellation().isCancelled()) {
                throw cancelled(process, view);
            }
            Next next = agent.ends().next(new Signs(lastOutput, tally.hasResult()), agents.clock().instant());
            if (next instanceof Next.End(Cause cause)) {
                return conclude(cause, process.stop(GRACE).code(), view);
            }
            pause();
        }
    }

    private void hear(Event event, TextView view) {
        tally.add(event);
        view.add(event);
    }

    private static void write(Writer out, String text) {
        try {
            out.write(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An interrupt comes only after a cancellation, which is seen to first. */
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
    private JobCancelledException cancelled(AgentProcess process, TextView view) throws IOException {
        String reason = job.cancellation().reason().orElse("cancelled");
        if (job.cancellation().goesBack() && agent.onNodeDeath() == OnNodeDeath.ADOPT) {
            job.log().info("Left to go on by itself: {}", reason);
        } else {
            keep(new Cause.Stopped(reason), process.stop(GRACE).code(), view);
        }
        return new JobCancelledException(reason);
    }

    /** Something went wrong here, not there. What outlives its node is left to the next attempt, all else ends. */
    private void abandon(AgentProcess process) {
        if (agent.onNodeDeath() == OnNodeDeath.ADOPT) {
            site.leaveRunning();
        } else {
            site.leave(process.stop(GRACE).code(), null);
        }
    }

    /** A run whose node ended, and which has ended since, or was told of and not yet put away. */
    AgentReport settle(@Nullable AgentReport told) throws IOException {
        try (Writer shown = files.show()) {
            TextView view = new TextView(text -> write(shown, text));
            view.prompt(Files.readString(files.prompt()));
            tail.rest(event -> hear(event, view));
        }
        Totals totals = tally.totals(agents.prices());
        AgentReport report = told != null ? told
                : report(totals, new Ending.Failed(Ending.Reason.EXIT, "its node ended", null), Exit.KILLED);
        keep(report, totals);
        return report;
    }

    private AgentReport conclude(Cause cause, int exitCode, TextView view) throws IOException {
        Ending ending = keep(cause, exitCode, view);
        if (ending instanceof Ending.Failed failed) {
            throw failure(failed);
        }
        return files.end().orElseThrow();
    }

    /** Not to be kept from it by an interrupt, which would close the files that are being read. */
    private Ending keep(Cause cause, int exitCode, TextView view) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            tail.rest(event -> hear(event, view));
            Totals totals = tally.totals(agents.prices());
            Ending ending = EndRules.ending(agent.adapter(), totals, cause, agents.clock().instant());
            keep(report(totals, ending, exitCode), totals);
            return ending;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** From here on nobody takes the run over. */
    private void keep(AgentReport report, Totals totals) throws IOException {
        bill(totals);
        agents.texts().index(job.id(), files.attempt(), words());
        files.end(report);
        if (Files.exists(files.transcript().file())) {
            files.transcript().compress();
        }
        Cost cost = totals.cost();
        site.leave(report.exitCode(), new Usage(agent.adapter().name(), totals.model(), totals.session(),
                totals.tokens().total(), cost == null ? null : cost.usd(),
                cost != null && cost.basis() == Cost.Basis.ESTIMATED));
        settled = true;
    }

    private AgentReport report(Totals totals, Ending ending, int exitCode) {
        String text = switch (ending) {
            case Ending.Succeeded(String answer) -> answer;
            case Ending.Failed failed -> failed.message();
        };
        return new AgentReport(text, ending instanceof Ending.Failed failed ? failed.reason() : null,
                files.attempt(),
                totals.session(), totals.tokens(), totals.ofSession(), totals.cost(), exitCode, start.at(),
                agents.clock().instant());
    }

    private void billNowAndThen(Instant now) {
        if (now.isAfter(billed.plus(BETWEEN_BILLS))) {
            bill(tally.totals(agents.prices()));
            billed = now;
        }
    }

    /** A store that is away must not end a run that is paid for; the next bill has all of it. */
    private void bill(Totals totals) {
        Cost cost = totals.cost();
        try {
            agents.purse().record(new Spend(job.id(), files.attempt(), agent.name(), job.tags(), start.at(),
                    agents.clock().instant(), cost == null ? BigDecimal.ZERO : cost.usd(),
                    cost != null && cost.basis() == Cost.Basis.ESTIMATED, totals.tokens().total()));
        } catch (StoreException e) {
            job.log().warn("What job {} spent could not be written down yet: {}", job.id(), e.getMessage());
        }
    }

    private String words() throws IOException {
        Words words = new Words(TextIndex.MOST);
        words.add(Files.readString(files.prompt()));
        new Tail(files.transcript(), agent.adapter().reader()).rest(words::add);
        return words.toString();
    }

    /** That of a run which was told of, by a node that ended before it could tell the store. */
    JobException failure(AgentReport told) throws IOException {
        Ending.Reason reason = Objects.requireNonNull(told.reason());
        return failure(new Ending.Failed(reason, told.text(), null));
    }

    private JobException failure(Ending.Failed failed) throws IOException {
        String said = failed.reason() == Ending.Reason.EXIT
                ? OutputReader.tail(site.files().stderr(), LAST_WORDS)
                        .lines().filter(line -> !line.isBlank()).reduce((_, later) -> later)
                        .map(String::strip).orElse("")
                : "";
        String message = failed.message() + (said.isEmpty() ? "" : ": " + said);
        JobException failure = failed.reason().category() == FailureCategory.PERMANENT
                ? JobException.permanent(message)
                : JobException.transientFailure(message);
        return failed.retryAfter() == null ? failure : failure.retryAfter(failed.retryAfter());
    }
}
