package dev.heddle.cli.verb;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.Exit;
import dev.heddle.control.Control;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A job with its story. */
@Command(name = "show", description = "Show a job with its attempts and its history.")
final class JobShow extends Question {

    @Parameters(paramLabel = "ID", description = "The job, by its id or the beginning of it.") @SuppressWarnings("NullAway.Init") // set before call()
    private String id;

    JobShow(Desk desk) {
        super(desk, Access.Intent.LOOK);
    }

    @Override
    Exit ask(Control control) {
        JobSheet sheet = new JobSheet(screen(), desk().clock().instant());
        format().one(screen(), control.job(id), sheet::print);
        return Exit.OK;
    }
}
