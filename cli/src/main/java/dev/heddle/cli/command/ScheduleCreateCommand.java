package dev.heddle.cli.command;

import java.time.Duration;
import java.time.Instant;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.DurationConverter;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.Control;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.ScheduleDraft;
import dev.heddle.control.model.ScheduleView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Creates a schedule. */
@Command(name = "create", description = {"Create a schedule that submits a job again and again.",
    "RULE is a cron expression with 5 or 6 fields, @daily and the like, or an interval such as 'every 15m'."},
        footerHeading = "%nExamples:%n",
        footer = {"  heddle schedule create nightly-report '0 2 * * *' report --zone Europe/Berlin",
            "  heddle schedule create poll 'every 15m' poll -p '{\"url\": \"https://example.com\"}'",
            "  heddle schedule create poll 'every 5m' poll --replace"})
final class ScheduleCreateCommand extends ControlCommand {

    @Parameters(index = "0", paramLabel = "NAME", description = "Schedule name.")
    @SuppressWarnings("NullAway.Init") // set before call()
    private String name;

    @Parameters(index = "1", paramLabel = "RULE", description = "When it fires, such as '0 2 * * *' or 'every 15m'.")
    @SuppressWarnings("NullAway.Init") // set before call()
    private String rule;

    @Parameters(index = "2", paramLabel = "TYPE", description = "Type of the jobs.")
    @SuppressWarnings("NullAway.Init") // set before call()
    private String type;

    @Option(names = {"-p", "--payload"}, paramLabel = "JSON|@FILE|-",
            description = "Payload of the jobs: JSON, a file or standard input (default: {}).")
    private @Nullable String payload;

    @Option(names = "--zone", paramLabel = "ZONE", description = "Time zone of a cron expression (default: UTC).")
    private @Nullable String zone;

    @Option(names = "--missed", paramLabel = "POLICY",
            description = "If no node was running: skip, coalesce or catchUp(n) (default: coalesce).")
    private @Nullable String missed;

    @Option(names = "--overlap", paramLabel = "POLICY",
            description = "If an earlier run has not ended: allow, skip, queueOne or cancelPrevious (default: skip).")
    private @Nullable String overlap;

    @Option(names = "--jitter", paramLabel = "DURATION", converter = DurationConverter.class,
            description = "Start each run up to this much later.")
    private @Nullable Duration jitter;

    @Option(names = "--until", paramLabel = "TIME", converter = InstantConverter.class,
            description = "Last time at which it may fire (ISO 8601).")
    private @Nullable Instant until;

    @Option(names = "--runs", paramLabel = "N", converter = PositiveIntConverter.class,
            description = "End after this many runs.")
    private @Nullable Integer runs;

    @Option(names = "--replace", description = "Change the schedule if it exists.")
    private boolean replace;

    @Mixin
    private final JobOptions options = new JobOptions();

    ScheduleCreateCommand(CliContext context) {
        super(context, Intent.WRITE);
    }

    @Override
    ExitCode execute(Control control) throws Exception {
        JsonNode json = payload == null ? null : new PayloadReader(context().in()).one(payload);
        ScheduleView schedule = control.setSchedule(new ScheduleDraft(name, rule, zone, missed, overlap, jitter, until,
                runs, options.apply(JobDraft.of(type, json)), replace));
        format().one(output(), schedule, view -> output().print(ScheduleCommands.describe(view, now())));
        return ExitCode.OK;
    }
}
