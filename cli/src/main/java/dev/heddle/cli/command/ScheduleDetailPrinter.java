package dev.heddle.cli.command;

import java.time.Instant;

import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.ControlJson;
import dev.heddle.control.model.ScheduleDetail;
import dev.heddle.control.model.ScheduleRunView;
import dev.heddle.control.model.ScheduleView;
import dev.heddle.job.DurationText;
import org.jspecify.annotations.Nullable;

/** Prints a schedule for people. */
record ScheduleDetailPrinter(CliOutput output, Instant now) {

    private static final int LABEL = 10;

    void print(ScheduleDetail detail) {
        ScheduleView schedule = detail.schedule();
        line("schedule", schedule.name());
        line("state", schedule.state() + (schedule.waiting() == null ? ""
                : ", the run of " + schedule.waiting() + " waits for an earlier one to end"));
        line("rule", schedule.rule() + " (" + schedule.inWords() + "), " + schedule.zone());
        line("job", schedule.job().type() + (schedule.job().payload() == null ? ""
                : " " + ControlJson.write(schedule.job().payload())));
        line("policies", "missed " + schedule.missed() + ", overlap " + schedule.overlap()
                + (schedule.jitter() == null ? "" : ", jitter " + DurationText.of(schedule.jitter())));
        line("until", schedule.until() == null ? null : schedule.until().toString());
        line("runs", schedule.fired() + (schedule.runs() == null ? "" : " of " + schedule.runs()) + ", "
                + schedule.missedRuns() + " missed, " + schedule.skippedRuns() + " skipped");
        line("edited", schedule.editedBy() == null || schedule.editedAt() == null ? null
                : "by " + schedule.editedBy() + " " + Durations.relative(schedule.editedAt(), now)
                        + (schedule.code() ? "; 'heddle schedule reset' drops the edit" : ""));
        line("code", schedule.gone() ? "gone: no node that runs now has put it" : null);
        detail.next().forEach(time -> line("next", time + " (" + Durations.relative(time, now) + ")"));
        if (!detail.runs().isEmpty()) {
            output.print("");
            new Table<ScheduleRunView>().column("TIME", run -> run.time().toString())
                    .column("KIND", run -> run.kind().name())
                    .column("STATE", run -> run.state() == null ? run.job() == null ? "" : "deleted"
                            : run.state().name())
                    .number("TOOK", run -> run.duration() == null ? "" : DurationText.of(run.duration()))
                    .column("JOB", run -> run.job() == null ? "" : run.job()).print(output, detail.runs());
        }
    }

    private void line(String label, @Nullable String value) {
        if (value != null) {
            output.print(label + " ".repeat(LABEL - label.length()) + value);
        }
    }
}
