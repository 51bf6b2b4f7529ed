package dev.heddle.cli.command;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.PollingConnection;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.OutputFormat;
import dev.heddle.cli.shell.ProgressLine;
import dev.heddle.control.model.JobDetail;
import dev.heddle.control.model.JobView;
import dev.heddle.job.Attempt;
import dev.heddle.job.DurationText;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/** Waits for jobs to end, with a progress line on a terminal, and prints their results. */
final class JobWaiter implements AutoCloseable {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final Duration FOREVER = Duration.ofDays(3_650);

    private final CliContext context;
    private final OutputFormat format;
    private final PollingConnection connection;
    private final long deadline;
    private boolean warned;

    private record Observation(boolean remote, JobDetail detail) {}

    /** Creates a waiter that gives up after the timeout, or never if the timeout is null. */
    JobWaiter(CliContext context, OutputFormat format, @Nullable Duration timeout) {
        this.context = context;
        this.format = format;
        this.connection = new PollingConnection(context);
        this.deadline = System.nanoTime() + (timeout == null ? FOREVER : timeout).toNanos();
    }

    /** Waits for all jobs, and returns the exit code of the first that did not complete, or OK. */
    ExitCode await(List<String> ids) throws InterruptedException {
        List<JobDetail> details = new ArrayList<>();
        try (ProgressLine line = new ProgressLine(context.output())) {
            for (int i = 0; i < ids.size(); i++) {
                String prefix = ids.size() == 1 ? "" : "[" + (i + 1) + "/" + ids.size() + "] ";
                details.add(await(ids.get(i), line, prefix));
            }
        }
        if (ids.size() == 1) {
            format.one(context.output(), details.getFirst(), this::print);
        } else {
            format.many(context.output(), details, all -> all.forEach(this::print));
        }
        return details.stream().map(JobWaiter::exitCode).filter(exit -> exit != ExitCode.OK).findFirst()
                .orElse(ExitCode.OK);
    }

    /** Returns the job after its end, or as it is when the time is up. */
    private JobDetail await(String id, ProgressLine line, String prefix) throws InterruptedException {
        while (true) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            Duration wait = left.compareTo(POLL_INTERVAL) < 0 ? left : POLL_INTERVAL;
            Observation seen = connection.request(node -> new Observation(node.remote(),
                    node.remote() ? node.control().await(id, wait) : node.control().job(id)));
            if (seen.detail.job().state().isFinal() || left.isZero()) {
                return seen.detail;
            }
            show(seen.detail.job(), line, prefix);
            if (!seen.remote) {
                warnThatNoNodeRuns();
                Thread.sleep(wait);
            }
        }
    }

    private void show(JobView job, ProgressLine line, String prefix) {
        String text = prefix + job.type() + " " + job.id() + " " + job.state();
        if (job.progress() == null) {
            line.show(text + " " + JobFormat.note(job, context.clock().instant()));
        } else {
            line.show(job.progress().current(), job.progress().total(), text + " " + job.progress().message());
        }
    }

    private void warnThatNoNodeRuns() {
        if (!warned) {
            warned = true;
            context.output().info("waiting for a node on " + context.options().home().directory()
                    + "; start one with 'heddle serve'");
        }
    }

    private void print(JobDetail detail) {
        if (detail.result() != null) {
            context.output().printJson(detail.result().toString());
        }
        if (detail.job().state() == JobState.FAILED && !detail.runs().isEmpty()) {
            printStderr(detail.job().id(), detail.runs().getLast().attempt());
        }
        context.output().info("job " + detail.job().id() + " " + outcome(detail));
    }

    /** Prints the end of what the process of a failed job wrote, which mostly says why it failed. */
    private void printStderr(String id, int attempt) {
        List<String> lines = connection
                .request(node -> StderrTail.read(query -> node.control().output(id, query), attempt));
        lines.forEach(line -> context.output().copy((line + "\n").getBytes(StandardCharsets.UTF_8), true));
    }

    private String outcome(JobDetail detail) {
        JobState state = detail.job().state();
        if (!state.isFinal()) {
            return "is still " + state + "; timed out waiting, the job continues";
        }
        String note = JobFormat.note(detail.job(), context.clock().instant());
        return state == JobState.COMPLETED ? state + lastDuration(detail) : state + (note.isEmpty() ? "" : ": " + note);
    }

    private static String lastDuration(JobDetail detail) {
        if (detail.attempts().isEmpty()) {
            return "";
        }
        Attempt last = detail.attempts().getLast();
        Instant start = last.startedAt() == null ? last.assignedAt() : last.startedAt();
        return " in " + DurationText.of(Duration.between(start, last.endedAt()));
    }

    private static ExitCode exitCode(JobDetail detail) {
        return switch (detail.job().state()) {
            case COMPLETED -> ExitCode.OK;
            case FAILED, CANCELLED -> ExitCode.FAILED;
            case QUEUED, SCHEDULED, PAUSED, ASSIGNED, RUNNING, WAITING -> ExitCode.TIMED_OUT;
        };
    }

    @Override
    public void close() {
        connection.close();
    }
}
