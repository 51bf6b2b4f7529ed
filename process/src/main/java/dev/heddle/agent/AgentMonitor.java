package dev.heddle.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.heddle.agent.Agent.OnNodeDeath;
import dev.heddle.agent.EndRules.Activity;
import dev.heddle.agent.EndRules.Cause;
import dev.heddle.agent.EndRules.Decision;
import dev.heddle.budget.Spend;
import dev.heddle.command.Workspace;
import dev.heddle.conversation.Cost;
import dev.heddle.conversation.Event;
import dev.heddle.conversation.RunningTotals;
import dev.heddle.conversation.SearchText;
import dev.heddle.conversation.TextView;
import dev.heddle.conversation.Totals;
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.output.OutputReader;
import dev.heddle.process.Exit;
import dev.heddle.run.Run.Usage;
import dev.heddle.search.TextIndex;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Follows one run until it ends: parses its output, writes the readable log, records what it spends, and finally stores
 * its report.
 */
final class AgentMonitor {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    private static final Duration SPEND_INTERVAL = Duration.ofSeconds(5);
    /** How long a process may take to stop before it is killed. The pool may interrupt earlier. */
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final int STDERR_TAIL = 4096;

    private final AgentRuntime runtime;
    private final Agent agent;
    private final JobContext job;
    private final Workspace workspace;
    private final AgentFiles files;
    private final AgentFiles.Start start;
    private final RunningTotals totals;
    private final TranscriptTail tail;
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private @Nullable Duration spendRecordedAt;
    private boolean finished;

    AgentMonitor(AgentRuntime runtime, Agent agent, JobContext job, Workspace workspace) {
        this.runtime = runtime;
        this.agent = agent;
        this.job = job;
        this.workspace = workspace;
        this.files = new AgentFiles(workspace.files());
        try {
            this.start = files.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.totals = start.newTotals();
        this.tail = new TranscriptTail(files.transcript(), agent.adapter().parser());
    }

    /** Follows a process until it ends, and returns its report. */
    AgentReport follow(AgentProcess process) throws IOException {
        workspace.restoreToken();
        job.cancellation().onCancel(cancelled::countDown);
        try (Writer log = files.openReadableLog()) {
            return follow(process, log);
        } finally {
            if (!finished) {
                abandon(process);
            }
        }
    }

    private AgentReport follow(AgentProcess process, Writer log) throws IOException {
        TextView view = view(log);
        Duration lastOutput = runtime.elapsed();
        while (true) {
            // Check for the exit before reading: whatever was written before the exit is read below.
            Optional<Exit> exit = process.exit();
            if (tail.poll(event -> add(event, view))) {
                lastOutput = runtime.elapsed();
                log.flush();
                workspace.limitOutput();
                job.heartbeat();
                recordSpendPeriodically(lastOutput);
            }
            if (exit.isPresent()) {
                return conclude(causeOf(exit.get()), exit.get().code(), view);
            }
            if (job.cancellation().isCancelled()) {
                throw cancel(process, view);
            }
            Decision decision = agent.endRules().decide(new Activity(lastOutput, totals.hasResult()),
                    runtime.elapsed());
            if (decision instanceof Decision.Stop(Cause cause)) {
                return conclude(cause, process.stop(GRACE).code(), view);
            }
            waitForNextPoll();
        }
    }

    private static Cause causeOf(Exit exit) {
        return exit.timedOutAfter() == null ? new Cause.Exited(exit.code()) : new Cause.TimedOut(exit.timedOutAfter());
    }

    private TextView view(Writer log) throws IOException {
        TextView view = new TextView(text -> write(log, text));
        view.prompt(Files.readString(files.prompt()));
        return view;
    }

    private static void write(Writer out, String text) {
        try {
            out.write(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(Event event, TextView view) {
        totals.add(event);
        view.add(event);
    }

    private void waitForNextPoll() {
        try {
            if (cancelled.await(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                job.log().debug("Cancelled");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            job.cancellation().throwIfCancelled();
            throw JobException.transientFailure("interrupted while the agent ran", e);
        }
    }

    /**
     * Handles a cancellation. If the node is closing, a run that outlives its node is left running. Otherwise the job
     * was cancelled or timed out, and the run is stopped.
     */
    private JobCancelledException cancel(AgentProcess process, TextView view) throws IOException {
        String reason = job.cancellation().reason().orElse("cancelled");
        if (job.cancellation().jobContinues() && agent.onNodeDeath() == OnNodeDeath.ADOPT) {
            job.log().info("The run continues without this node: {}", reason);
        } else {
            finish(new Cause.Stopped(reason), process.stop(GRACE).code(), view);
        }
        return new JobCancelledException(reason);
    }

    /**
     * Monitoring failed, or leaves the run to the next node. A run that outlives its node continues; any other is
     * stopped.
     */
    private void abandon(AgentProcess process) {
        if (agent.onNodeDeath() == OnNodeDeath.ADOPT) {
            workspace.detach();
        } else {
            workspace.close(process.stop(GRACE).code(), null);
        }
    }

    /**
     * Finishes a run whose process is gone, after its node died before it could do so.
     *
     * @param reported the report, if the node had come far enough to write it
     */
    AgentReport settle(@Nullable AgentReport reported) throws IOException {
        try (Writer log = files.openReadableLog()) {
            TextView view = view(log);
            tail.drain(event -> add(event, view));
        }
        Totals sum = totals.totals(runtime.prices());
        AgentReport report = reported != null ? reported
                : report(sum, new AgentOutcome.Failed(AgentOutcome.Reason.EXIT, "its node died", null), Exit.KILLED);
        store(report, sum);
        return report;
    }

    private AgentReport conclude(Cause cause, int exitCode, TextView view) throws IOException {
        AgentOutcome outcome = finish(cause, exitCode, view);
        if (outcome instanceof AgentOutcome.Failed failed) {
            throw failure(failed);
        }
        return files.report().orElseThrow();
    }

    /** Runs with the interrupt flag cleared: an interrupt would close the files that are being read. */
    private AgentOutcome finish(Cause cause, int exitCode, TextView view) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            tail.drain(event -> add(event, view));
            Totals sum = totals.totals(runtime.prices());
            AgentOutcome outcome = EndRules.outcome(agent.adapter(), sum, cause, runtime.clock().instant());
            store(report(sum, outcome, exitCode), sum);
            return outcome;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Once the report is written, no attempt takes the run over any more. */
    private void store(AgentReport report, Totals sum) throws IOException {
        recordSpend(sum);
        runtime.texts().index(job.id(), files.attempt(), searchText());
        files.writeReport(report);
        if (Files.exists(files.transcript().file())) {
            files.transcript().compress();
        }
        Cost cost = sum.cost();
        workspace.close(report.exitCode(), new Usage(agent.adapter().name(), sum.model(), sum.session(),
                sum.tokens().total(), cost == null ? null : cost.usd(), isEstimated(cost)));
        finished = true;
    }

    private static boolean isEstimated(@Nullable Cost cost) {
        return cost != null && cost.basis() == Cost.Basis.ESTIMATED;
    }

    private AgentReport report(Totals sum, AgentOutcome outcome, int exitCode) {
        String text = switch (outcome) {
            case AgentOutcome.Succeeded(String answer) -> answer;
            case AgentOutcome.Failed failed -> failed.message();
        };
        return new AgentReport(text, outcome instanceof AgentOutcome.Failed failed ? failed.reason() : null,
                files.attempt(), sum.session(), sum.tokens(), sum.ofSession(), sum.cost(), exitCode, start.at(),
                runtime.clock().instant());
    }

    private void recordSpendPeriodically(Duration now) {
        if (spendRecordedAt == null || now.minus(spendRecordedAt).compareTo(SPEND_INTERVAL) > 0) {
            recordSpend(totals.totals(runtime.prices()));
            spendRecordedAt = now;
        }
    }

    /**
     * A store that is unavailable must not end a run that costs money. Each record is cumulative, so the next one has
     * it all.
     */
    private void recordSpend(Totals sum) {
        Cost cost = sum.cost();
        try {
            runtime.budgets()
                    .record(new Spend(job.id(), files.attempt(), agent.name(), job.tags(), start.at(),
                            runtime.clock().instant(), cost == null ? BigDecimal.ZERO : cost.usd(), isEstimated(cost),
                            sum.tokens().total()));
        } catch (StoreException e) {
            job.log().warn("Could not record the spending of job {}, will try again: {}", job.id(), e.getMessage());
        }
    }

    private String searchText() throws IOException {
        SearchText text = new SearchText(TextIndex.MAX_CHARACTERS);
        text.add(Files.readString(files.prompt()));
        new TranscriptTail(files.transcript(), agent.adapter().parser()).drain(text::add);
        return text.toString();
    }

    /** Returns the failure of a run whose node wrote a report but died before it stored the job's end. */
    JobException failure(AgentReport report) throws IOException {
        AgentOutcome.Reason reason = Objects.requireNonNull(report.reason());
        return failure(new AgentOutcome.Failed(reason, report.text(), null));
    }

    private JobException failure(AgentOutcome.Failed failed) throws IOException {
        String lastLine = failed.reason() == AgentOutcome.Reason.EXIT
                ? OutputReader.lastLine(workspace.files().stderr(), STDERR_TAIL) : "";
        String message = failed.message() + (lastLine.isEmpty() ? "" : ": " + lastLine);
        JobException failure = failed.reason() == AgentOutcome.Reason.TIMED_OUT ? JobException.timeout(message)
                : JobException.of(failed.reason().category(), message, null);
        failure = failure.withoutStackTrace();
        return failed.retryAfter() == null ? failure : failure.retryAfter(failed.retryAfter());
    }
}
