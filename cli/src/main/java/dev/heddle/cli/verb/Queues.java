package dev.heddle.cli.verb;

import java.util.List;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.QueueView;
import dev.heddle.job.JobState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The commands about queues. */
final class Queues {

    private Queues() {}

    private static Table<QueueView> table() {
        return new Table<QueueView>().elastic("QUEUE", QueueView::name)
                .column("STATE", queue -> queue.paused() ? "PAUSED" : "OPEN",
                        queue -> queue.paused() ? Style.YELLOW : Style.PLAIN)
                .number("QUEUED", queue -> count(queue, JobState.QUEUED))
                .number("SCHEDULED", queue -> count(queue, JobState.SCHEDULED))
                .number("PAUSED", queue -> count(queue, JobState.PAUSED))
                .number("RUNNING", queue -> String.valueOf(number(queue, JobState.RUNNING)
                        + number(queue, JobState.ASSIGNED)));
    }

    private static String count(QueueView queue, JobState state) {
        return String.valueOf(number(queue, state));
    }

    private static long number(QueueView queue, JobState state) {
        return queue.jobs().getOrDefault(state, 0L);
    }

    @Command(name = "list", description = "List the queues that have jobs or are paused.")
    static final class ListAll extends Question {
        ListAll(Desk desk) {
            super(desk, Access.Intent.LOOK);
        }

        @Override
        Exit ask(Control control) {
            format().many(screen(), control.queues(), queues -> table().print(screen(), queues));
            return Exit.OK;
        }
    }

    @Command(name = "pause", description = "Let nothing of a queue start; what runs goes on.")
    static final class Pause extends Question {
        @Parameters(paramLabel = "QUEUE", description = "The queue.") @SuppressWarnings("NullAway.Init") // set before call()
        private String queue;

        Pause(Desk desk) {
            super(desk, Access.Intent.CHANGE);
        }

        @Override
        Exit ask(Control control) {
            format().one(screen(), control.pauseQueue(queue), view -> table().print(screen(), List.of(view)));
            return Exit.OK;
        }
    }

    @Command(name = "resume", description = "Let a paused queue go on.")
    static final class Resume extends Question {
        @Parameters(paramLabel = "QUEUE", description = "The queue.") @SuppressWarnings("NullAway.Init") // set before call()
        private String queue;

        Resume(Desk desk) {
            super(desk, Access.Intent.CHANGE);
        }

        @Override
        Exit ask(Control control) {
            format().one(screen(), control.resumeQueue(queue),
                    view -> table().print(screen(), List.of(view)));
            return Exit.OK;
        }
    }
}
