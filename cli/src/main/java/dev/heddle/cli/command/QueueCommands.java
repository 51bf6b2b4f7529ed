package dev.heddle.cli.command;

import java.util.List;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.QueueView;
import dev.heddle.job.JobState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The commands of {@code heddle queue}. */
final class QueueCommands {

    private QueueCommands() {}

    private static Table<QueueView> table() {
        return new Table<QueueView>().elastic("QUEUE", QueueView::name)
                .column("STATE", queue -> queue.paused() ? "PAUSED" : "OPEN",
                        queue -> queue.paused() ? Style.YELLOW : Style.PLAIN)
                .number("QUEUED", queue -> count(queue, JobState.QUEUED))
                .number("SCHEDULED", queue -> count(queue, JobState.SCHEDULED))
                .number("PAUSED", queue -> count(queue, JobState.PAUSED)).number("RUNNING",
                        queue -> String.valueOf(number(queue, JobState.RUNNING) + number(queue, JobState.ASSIGNED)));
    }

    private static String count(QueueView queue, JobState state) {
        return String.valueOf(number(queue, state));
    }

    private static long number(QueueView queue, JobState state) {
        return queue.jobs().getOrDefault(state, 0L);
    }

    @Command(name = "list", description = "List queues that are paused or have unfinished jobs.")
    static final class ListAll extends ListCommand<QueueView> {
        ListAll(CliContext context) {
            super(context);
        }

        @Override
        List<QueueView> fetch(Control control) {
            return control.queues();
        }

        @Override
        String id(QueueView queue) {
            return queue.name();
        }

        @Override
        void print(List<QueueView> queues, ShownIds ids) {
            print(table(), queues);
        }
    }

    /** A command that changes one queue and prints it. */
    abstract static class Action extends ControlCommand {
        @Parameters(paramLabel = "QUEUE", description = "Queue name.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private String queue;

        Action(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        final ExitCode execute(Control control) {
            format().one(output(), apply(control, queue), view -> table().print(output(), List.of(view)));
            return ExitCode.OK;
        }

        abstract QueueView apply(Control control, String name);
    }

    @Command(name = "pause", description = "Stop starting jobs from a queue. Running jobs continue.")
    static final class Pause extends Action {
        Pause(CliContext context) {
            super(context);
        }

        @Override
        QueueView apply(Control control, String name) {
            return control.pauseQueue(name);
        }
    }

    @Command(name = "resume", description = "Resume a paused queue.")
    static final class Resume extends Action {
        Resume(CliContext context) {
            super(context);
        }

        @Override
        QueueView apply(Control control, String name) {
            return control.resumeQueue(name);
        }
    }
}
