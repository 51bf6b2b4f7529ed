package dev.heddle.control.local;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import dev.heddle.control.model.JobLog;
import dev.heddle.control.model.JobLog.Line;
import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.store.JobDetails;

/** Tells what happened to a job as log lines. */
final class JobLogReader {

    private JobLogReader() {}

    static JobLog read(JobDetails story) {
        Job job = story.job();
        List<Line> lines = new ArrayList<>();
        lines.add(info(job.spec().createdAt(), 0, "Submitted to queue '" + job.queue() + "' as " + job.type()));
        story.attempts().forEach(attempt -> addTo(lines, attempt));
        story.history()
                .forEach(entry -> lines.add(new Line(entry.at(), entry.to() == JobState.FAILED ? "ERROR" : "INFO", 0,
                        entry.from() + " to " + entry.to() + ": " + entry.reason() + " (" + entry.actor() + ")")));
        if (job.state().isHeld() && job.status().startedAt() != null) {
            lines.add(info(job.status().startedAt(), job.counts().attempt(), "Started on " + job.status().node()));
        }
        // By time alone: the sort is stable, so lines of the same millisecond keep the order in which they were added.
        lines.sort(Comparator.comparing(Line::at));
        return new JobLog(job.id().toString(), List.copyOf(lines));
    }

    private static void addTo(List<Line> lines, Attempt attempt) {
        if (attempt.startedAt() != null) {
            lines.add(info(attempt.startedAt(), attempt.number(),
                    "Started on " + (attempt.worker().isEmpty() ? attempt.node() : attempt.worker())));
        }
        lines.add(switch (attempt.end()) {
            case COMPLETED -> info(attempt.endedAt(), attempt.number(), "Completed");
            case RESCHEDULED -> info(attempt.endedAt(), attempt.number(), "Rescheduled");
            case INGESTED -> info(attempt.endedAt(), attempt.number(), "Ingested");
            case CANCELLED -> info(attempt.endedAt(), attempt.number(), "Cancelled");
            case RELEASED -> info(attempt.endedAt(), attempt.number(), "Released unfinished");
            case NODE_DIED ->
                new Line(attempt.endedAt(), "WARN", attempt.number(), "Node " + attempt.node() + " died");
            case CRASHED -> new Line(attempt.endedAt(), "ERROR", attempt.number(), "Crashed node " + attempt.node());
            case FAILED, TIMED_OUT -> new Line(attempt.endedAt(), "WARN", attempt.number(), failureText(attempt));
        });
    }

    private static String failureText(Attempt attempt) {
        Failure failure = attempt.failure();
        String what = attempt.end() == Attempt.End.TIMED_OUT ? "Timed out" : "Failed";
        if (failure == null) {
            return what;
        }
        String line = what + " (" + failure.category() + "): " + failure.message();
        return failure.details() == null ? line : line + "\n" + failure.details().stripTrailing();
    }

    private static Line info(Instant at, int attempt, String text) {
        return new Line(at, "INFO", attempt, text);
    }
}
