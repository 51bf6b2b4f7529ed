package dev.heddle.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.model.JobView;
import dev.heddle.job.JobState;
import dev.heddle.job.Progress;
import org.jspecify.annotations.Nullable;

/** Formats jobs as text: table columns, colors, notes and counts. */
final class JobFormat {

    private JobFormat() {}

    static Table<JobView> table(Instant now, ShownIds ids) {
        return new Table<JobView>().column("ID", job -> ids.of(job.id())).elastic("TYPE", JobView::type)
                .elastic("QUEUE", JobView::queue).column("STATE", job -> job.state().name(), job -> style(job.state()))
                .number("ATTEMPT", job -> String.valueOf(job.attempt()))
                .number("AGE", job -> Durations.coarse(Duration.between(job.createdAt(), now)))
                .elastic("NOTE", job -> note(job, now));
    }

    static Style style(JobState state) {
        return switch (state) {
            case COMPLETED -> Style.GREEN;
            case FAILED -> Style.RED;
            case RUNNING, ASSIGNED -> Style.CYAN;
            case PAUSED -> Style.YELLOW;
            case CANCELLED -> Style.DIM;
            case QUEUED, SCHEDULED, WAITING -> Style.PLAIN;
        };
    }

    /** Returns the most useful detail of a job in its state: an error, a reason, a due time or its progress. */
    static String note(JobView job, Instant now) {
        return switch (job.state()) {
            case FAILED -> firstOf(job.error(), job.reason());
            case CANCELLED, PAUSED -> firstOf(job.reason(), null);
            case SCHEDULED -> (job.dueAt() == null ? "" : Durations.relative(job.dueAt(), now))
                    + (job.error() == null ? "" : ": " + job.error());
            case RUNNING, ASSIGNED -> job.progress() == null ? "" : progress(job.progress());
            case COMPLETED, QUEUED, WAITING -> "";
        };
    }

    /** Returns counts such as "12 completed, 3 running", ended jobs first; empty if there are none. */
    static String counts(Map<JobState, Long> counts) {
        Comparator<JobState> endedFirst = Comparator.comparing(state -> !state.isFinal());
        return counts.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(endedFirst.thenComparing(Comparator.naturalOrder())))
                .map(entry -> entry.getValue() + " " + entry.getKey().name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }

    /** Returns a number with its noun, such as "1 crash" or "2 crashes". */
    static String count(int number, String noun, String plural) {
        return number + " " + noun + (number == 1 ? "" : plural);
    }

    private static String firstOf(@Nullable String first, @Nullable String second) {
        return first != null ? first : second != null ? second : "";
    }

    static String progress(Progress progress) {
        String share = progress.total() == 0 ? String.valueOf(progress.current())
                : Math.round(100.0 * progress.current() / progress.total()) + "%";
        return progress.message().isEmpty() ? share : share + " " + progress.message();
    }
}
