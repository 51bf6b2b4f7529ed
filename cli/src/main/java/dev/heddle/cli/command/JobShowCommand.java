package dev.heddle.cli.command;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.Control;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows everything about one job. */
@Command(name = "show", description = "Show a job with its attempts and history.")
final class JobShowCommand extends ControlCommand {

    @Mixin
    private final JobIdParameter id = new JobIdParameter();

    JobShowCommand(CliContext context) {
        super(context, Intent.READ);
    }

    @Override
    ExitCode execute(Control control) {
        JobDetailPrinter printer = new JobDetailPrinter(output(), now());
        format().one(output(), control.job(id.get()), printer::print);
        return ExitCode.OK;
    }
}
