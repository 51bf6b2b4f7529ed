package dev.heddle.cli.verb;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Format;
import dev.heddle.cli.shell.ProgressLine;
import dev.heddle.cli.shell.Screen;
import dev.heddle.control.JobDetail;
import dev.heddle.control.JobView;
import dev.heddle.job.Attempt;
import dev.heddle.job.JobState;
import dev.heddle.job.SpanText;

/** Waits for jobs and prints what came of them: results to standard output, the rest as talk. */
final class Outcomes {

    private final Desk desk;
    private final Format format;

    Outcomes(Desk desk, Format format) {
        this.desk = desk;
        this.format = format;
    }

    /** The exit code of the first that did not complete, else that all is well. */
    Exit await(List<String> ids, Waiting waiting) throws InterruptedException {
        List<JobDetail> details = new ArrayList<>();
        try (ProgressLine line = new ProgressLine(desk.screen())) {
            for (int i = 0; i < ids.size(); i++) {
                String prefix = ids.size() == 1 ? "" : "[" + (i + 1) + "/" + ids.size() + "] ";
                details.add(waiting.await(ids.get(i), line, prefix));
            }
        }
        if (ids.size() == 1) {
            format.one(desk.screen(), details.getFirst(), this::tell);
        } else {
            format.many(desk.screen(), details, all -> all.forEach(this::tell));
        }
        return details.stream().map(Waiting::exit).filter(exit -> exit != Exit.OK).findFirst()
                .orElse(Exit.OK);
    }

    /** How long the attempt took that completed it. */
    private static String took(JobDetail detail) {
        if (detail.attempts().isEmpty()) {
            return "";
        }
        Attempt last = detail.attempts().getLast();
        Instant begin = last.startedAt() == null ? last.assignedAt() : last.startedAt();
        return "took " + SpanText.of(Duration.between(begin, last.endedAt()));
    }

    private void tell(JobDetail detail) {
        JobView job = detail.job();
        if (detail.result() != null) {
            desk.screen().print(detail.result().toString());
        }
        String note = job.state() == JobState.COMPLETED ? took(detail)
                : JobViews.note(job, desk.clock().instant());
        desk.screen().say(Screen.harmless("job " + job.id() + " is " + job.state()
                + (note.isEmpty() ? "" : ": " + note)
                + (job.state().isFinal() ? "" : "; the time to wait is over, it goes on")));
    }
}
