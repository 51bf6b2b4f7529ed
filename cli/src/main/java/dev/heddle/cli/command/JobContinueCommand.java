package dev.heddle.cli.command;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.Control;
import dev.heddle.control.model.ContinueDraft;
import dev.heddle.control.model.SubmitResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Continues the work of an agent in a new job. */
@Command(name = "continue", description = {"Continue the work of an agent, and print the id of the new job.",
    "The agent resumes its session with your comment, in a worktree with the changes it has made so far."},
        footerHeading = "%nExample:%n", footer = "  heddle job continue 0190 --comment 'Now add a test for that.'")
final class JobContinueCommand extends ControlCommand {

    @Mixin
    private final JobIdParameter id = new JobIdParameter();

    @Option(names = {"-c", "--comment"}, required = true, paramLabel = "TEXT",
            description = "What the agent should do next.")
    @SuppressWarnings("NullAway.Init") // set before call()
    private String comment;

    JobContinueCommand(CliContext context) {
        super(context, Intent.WRITE);
    }

    @Override
    ExitCode execute(Control control) {
        SubmitResult submitted = control.continueAgent(id.get(), new ContinueDraft(comment, null));
        submitted.warnings().forEach(output()::info);
        format().many(output(), submitted.jobs(), jobs -> jobs.forEach(job -> output().print(job.id())));
        return ExitCode.OK;
    }
}
