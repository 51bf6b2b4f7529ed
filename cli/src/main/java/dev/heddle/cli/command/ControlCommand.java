package dev.heddle.cli.command;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.model.JobView;

/** A command that connects once, sends its requests and ends. */
abstract class ControlCommand extends OutputCommand {

    private final Connector.Intent intent;
    private boolean nodeRunning;

    ControlCommand(CliContext context, Connector.Intent intent) {
        super(context);
        this.intent = intent;
    }

    @Override
    final ExitCode run() throws Exception {
        validate();
        try (Connector.Connection connection = new Connector(context()).open(intent)) {
            nodeRunning = connection.remote();
            return execute(connection.control());
        }
    }

    /** Rejects invalid options before connecting. */
    void validate() {}

    abstract ExitCode execute(Control control) throws Exception;

    /** Returns whether a node answered, which also runs jobs. */
    final boolean isNodeRunning() {
        return nodeRunning;
    }

    final Instant now() {
        return context().clock().instant();
    }

    /** Applies an action to each job. A rejected job does not stop the others. */
    final ExitCode applyToEach(List<String> ids, Function<String, JobView> action, Function<JobView, String> describe) {
        List<JobView> changed = new ArrayList<>();
        List<ControlException> errors = new ArrayList<>();
        for (String id : ids) {
            try {
                changed.add(action.apply(id));
            } catch (ControlException e) {
                errors.add(e);
            }
        }
        if (ids.size() == 1 && errors.size() == 1) {
            throw errors.getFirst();
        }
        format().many(output(), changed, jobs -> jobs.forEach(job -> output().print(describe.apply(job))));
        errors.forEach(error -> output().info(String.valueOf(error.getMessage())));
        return errors.isEmpty() ? ExitCode.OK : ExitCode.of(errors.getFirst().kind());
    }
}
