package dev.heddle.cli.command;

import java.util.List;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.Control;
import dev.heddle.control.model.JobWhy;
import dev.heddle.control.model.WaitReasonView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Explains why a job does not run. */
@Command(name = "why", description = "Explain why a job does not run.")
final class JobWhyCommand extends ControlCommand {

    @Mixin
    private final JobIdParameter id = new JobIdParameter();

    JobWhyCommand(CliContext context) {
        super(context, Intent.READ);
    }

    @Override
    ExitCode execute(Control control) {
        format().one(output(), control.why(id.get()), this::print);
        return ExitCode.OK;
    }

    private void print(JobWhy why) {
        List<WaitReasonView> reasons = why.reasons();
        output().print(why.job() + " of type " + why.type() + " in queue " + why.queue() + " is " + why.state() + ".");
        reasons.forEach(reason -> output().print(reasons.size() == 1 ? reason.text() : "- " + reason.text()));
    }
}
