package dev.heddle.cli.verb;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

import dev.heddle.budget.Usd;
import dev.heddle.cli.shell.Screen;
import dev.heddle.cli.shell.Spans;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.ControlJson;
import dev.heddle.control.JobDetail;
import dev.heddle.control.JobView;
import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.SpanText;
import dev.heddle.run.Run;
import org.jspecify.annotations.Nullable;

/** Everything about a job on one page, for people. */
final class JobSheet {

    private final Screen screen;
    private final Instant now;

    JobSheet(Screen screen, Instant now) {
        this.screen = screen;
        this.now = now;
    }

    void print(JobDetail detail) {
        JobView job = detail.job();
        basics(job);
        field("children", JobViews.counts(detail.children()));
        field("payload", detail.payload().toString());
        json("result", detail.result());
        json("checkpoint", detail.checkpoint());
        detail.steps().forEach((name, result) -> field("step " + name, result.toString()));
        failure(detail.failure());
        if (!detail.attempts().isEmpty()) {
            screen.print("");
            attempts().print(screen, detail.attempts());
        }
        detail.runs().forEach(this::run);
        if (!detail.history().isEmpty()) {
            screen.print("");
            history().print(screen, detail.history());
        }
    }

    private void basics(JobView job) {
        field("id", job.id());
        field("type", job.type());
        field("state", job.state().name(), JobViews.style(job.state()));
        field("phase", job.phase() == null ? null : job.phase().name());
        field("note", JobViews.note(job, now));
        field("queue", job.queue());
        field("priority", String.valueOf(job.priority()));
        time("created", job.createdAt());
        time("due", job.dueAt());
        time("started", job.startedAt());
        time("ended", job.endedAt());
        field("node", job.node());
        field("attempt", job.attempt() + (job.maxRetries() == null ? "" : " of " + (job.maxRetries() + 1))
                + " (" + job.failures() + " failed, " + job.crashes() + " crashed)");
        field("timeout", job.timeout() == null ? null : SpanText.of(job.timeout()));
        field("parent", job.parent());
        field("session", job.session());
        field("subject", job.subject());
        field("tags", String.join(", ", job.tags()));
        field("dedupe key", job.dedupeKey());
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
        field(name, time == null ? null : time + "  (" + Spans.relative(time, now) + ")");
    }

    private void field(String name, @Nullable String value) {
        field(name, value, Style.PLAIN);
    }

    private void field(String name, @Nullable String value, Style style) {
        if (value != null && !value.isEmpty()) {
            screen.print(String.format("%-11s %s", Screen.harmless(name),
                    screen.styled(style, Screen.harmless(value))));
        }
    }

    private Table<Attempt> attempts() {
        return new Table<Attempt>().number("TRY", attempt -> String.valueOf(attempt.number()))
                .column("END", attempt -> attempt.end().name(), JobSheet::style)
                .column("STARTED", attempt -> Spans.relative(begin(attempt), now))
                .number("TOOK", attempt -> SpanText.of(Duration.between(begin(attempt), attempt.endedAt())))
                .elastic("WORKER", Attempt::worker)
                .elastic("FAILURE", attempt -> attempt.failure() == null ? "" : attempt.failure().message());
    }

    /** What an attempt left that ran as a process. */
    private void run(Run run) {
        screen.print("");
        field("run", String.valueOf(run.attempt()));
        field("exit code", run.exitCode() == null ? null : String.valueOf(run.exitCode()));
        usage(run.usage());
        field("files at", run.place() + (run.cut() ? "  (output over its limit, some left out)" : ""));
        if (run.work() != null) {
            field("changes", "git -C " + run.work().repository() + " diff " + run.work().base() + " "
                    + run.work().ref());
        }
        run.artifacts().forEach(
                artifact -> field("artifact", artifact.path() + "  (" + artifact.bytes() + " bytes)"));
    }

    private void usage(Run.@Nullable Usage usage) {
        if (usage != null) {
            field("agent", usage.agent() + (usage.model() == null ? "" : " " + usage.model()));
            field("session", usage.session());
            field("tokens", String.format(Locale.ROOT, "%,d", usage.tokens()));
            field("cost", usage.usd() == null ? "unknown"
                    : Usd.shown(usage.usd()) + (usage.estimated() ? " (estimated)" : " (reported)"));
        }
    }

    private static Instant begin(Attempt attempt) {
        return attempt.startedAt() == null ? attempt.assignedAt() : attempt.startedAt();
    }

    private static Style style(Attempt attempt) {
        return switch (attempt.end()) {
            case COMPLETED, INGESTED -> Style.GREEN;
            case FAILED, TIMED_OUT, CRASHED -> Style.RED;
            case CANCELLED, RELEASED -> Style.DIM;
        };
    }

    private Table<HistoryEntry> history() {
        return new Table<HistoryEntry>().column("WHEN", entry -> Spans.relative(entry.at(), now))
                .column("FROM", entry -> entry.from().name()).column("TO", entry -> entry.to().name())
                .elastic("REASON", HistoryEntry::reason).elastic("BY", HistoryEntry::actor);
    }
}
