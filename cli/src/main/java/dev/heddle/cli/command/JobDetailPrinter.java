package dev.heddle.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

import dev.heddle.budget.Usd;
import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.ControlJson;
import dev.heddle.control.model.JobDetail;
import dev.heddle.control.model.JobView;
import dev.heddle.job.Attempt;
import dev.heddle.job.DurationText;
import dev.heddle.job.Failure;
import dev.heddle.job.HistoryEntry;
import dev.heddle.run.Run;
import org.jspecify.annotations.Nullable;

/** Prints everything about a job as text. */
final class JobDetailPrinter {

    private final CliOutput output;
    private final Instant now;

    JobDetailPrinter(CliOutput output, Instant now) {
        this.output = output;
        this.now = now;
    }

    void print(JobDetail detail) {
        JobView job = detail.job();
        basics(job);
        field("children", JobFormat.counts(detail.children()));
        field("payload", detail.payload().toString());
        json("result", detail.result());
        json("checkpoint", detail.checkpoint());
        detail.steps().forEach((name, result) -> field("step " + name, result.toString()));
        failure(detail.failure());
        if (!detail.attempts().isEmpty()) {
            output.print("");
            attempts().print(output, detail.attempts());
        }
        detail.runs().forEach(this::run);
        if (!detail.history().isEmpty()) {
            output.print("");
            history().print(output, detail.history());
        }
    }

    private void basics(JobView job) {
        field("id", job.id());
        field("type", job.type());
        field("state", job.state().name(), JobFormat.style(job.state()));
        field("phase", job.phase() == null ? null : job.phase().name());
        field("note", JobFormat.note(job, now));
        field("queue", job.queue());
        field("priority", String.valueOf(job.priority()));
        time("created", job.createdAt());
        time("due", job.dueAt());
        time("started", job.startedAt());
        time("ended", job.endedAt());
        field("node", job.node());
        field("attempt",
                job.attempt() + " (" + failures(job) + ", " + JobFormat.count(job.crashes(), "crash", "es") + ")");
        field("timeout", job.timeout() == null ? null : DurationText.of(job.timeout()));
        field("parent", job.parent());
        field("session", job.session());
        field("subject", job.subject());
        field("tags", String.join(", ", job.tags()));
        field("dedupe key", job.dedupeKey());
        field("if in use", job.dedupe());
        job.headers().forEach((name, value) -> field("header", name + "=" + value));
    }

    /** The failures count against the retries, not the attempts: a retry by hand starts them again. */
    private static String failures(JobView job) {
        return job.maxRetries() == null ? JobFormat.count(job.failures(), "failure", "s")
                : job.failures() + " of " + JobFormat.count(job.maxRetries() + 1, "failure", "s");
    }

    private void failure(@Nullable Failure failure) {
        if (failure != null) {
            field("failure", failure.category() + ": " + failure.message());
            field("failed step", failure.failedStep());
            field("hint", failure.recoveryHint());
        }
    }

    private void json(String name, @Nullable Object value) {
        field(name, value == null ? null : ControlJson.write(value));
    }

    private void time(String name, @Nullable Instant time) {
        field(name, time == null ? null : time + "  (" + Durations.relative(time, now) + ")");
    }

    private void field(String name, @Nullable String value) {
        field(name, value, Style.PLAIN);
    }

    private void field(String name, @Nullable String value, Style style) {
        if (value != null && !value.isEmpty()) {
            output.print(String.format("%-11s %s", name, output.styled(style, value)));
        }
    }

    private Table<Attempt> attempts() {
        return new Table<Attempt>().number("ATTEMPT", attempt -> String.valueOf(attempt.number()))
                .column("OUTCOME", attempt -> attempt.end().name(), JobDetailPrinter::style)
                .column("STARTED", attempt -> Durations.relative(start(attempt), now))
                .number("DURATION", attempt -> DurationText.of(Duration.between(start(attempt), attempt.endedAt())))
                .elastic("WORKER", Attempt::worker)
                .elastic("FAILURE", attempt -> attempt.failure() == null ? "" : attempt.failure().message());
    }

    /** Prints what the process of an attempt left behind. */
    private void run(Run run) {
        output.print("");
        field("run", String.valueOf(run.attempt()));
        field("exit code", run.exitCode() == null ? null : String.valueOf(run.exitCode()));
        usage(run.usage());
        field("files", run.place() + (run.cut() ? "  (output limit exceeded; some output was dropped)" : ""));
        if (run.work() != null) {
            field("changes",
                    "git -C " + run.work().repository() + " diff " + run.work().base() + " " + run.work().ref());
        }
        run.artifacts().forEach(artifact -> field("artifact", artifact.path() + "  (" + artifact.bytes() + " bytes)"));
    }

    private void usage(Run.@Nullable Usage usage) {
        if (usage != null) {
            field("agent", usage.agent() + (usage.model() == null ? "" : " " + usage.model()));
            field("session", usage.session());
            field("tokens", String.format(Locale.ROOT, "%,d", usage.tokens()));
            field("cost", usage.usd() == null ? "unknown"
                    : Usd.format(usage.usd()) + (usage.estimated() ? " (estimated)" : " (reported)"));
        }
    }

    private static Instant start(Attempt attempt) {
        return attempt.startedAt() == null ? attempt.assignedAt() : attempt.startedAt();
    }

    private static Style style(Attempt attempt) {
        return switch (attempt.end()) {
            case COMPLETED, RESCHEDULED, INGESTED -> Style.GREEN;
            case FAILED, TIMED_OUT, NODE_DIED, CRASHED -> Style.RED;
            case CANCELLED, RELEASED -> Style.DIM;
        };
    }

    private Table<HistoryEntry> history() {
        return new Table<HistoryEntry>().column("WHEN", entry -> Durations.relative(entry.at(), now))
                .column("FROM", entry -> entry.from().name()).column("TO", entry -> entry.to().name())
                .elastic("REASON", HistoryEntry::reason).elastic("BY", HistoryEntry::actor);
    }
}
