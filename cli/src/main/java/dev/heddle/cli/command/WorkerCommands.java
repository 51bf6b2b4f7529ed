package dev.heddle.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.WorkerDetail;
import dev.heddle.control.model.WorkerView;
import dev.heddle.worker.StateChange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The commands of {@code heddle worker} that send one request. */
final class WorkerCommands {

    /** The fact that says what is wrong with a worker. */
    private static final String NOTE = "note";

    private WorkerCommands() {}

    @Command(name = "list", description = "List the workers of all nodes.")
    static final class ListAll extends ListCommand<WorkerView> {
        ListAll(CliContext context) {
            super(context);
        }

        @Override
        List<WorkerView> fetch(Control control) {
            return control.workers();
        }

        @Override
        String id(WorkerView worker) {
            return worker.id();
        }

        @Override
        List<String> jobIds(List<WorkerView> workers) {
            return workers.stream().map(WorkerView::job).filter(Objects::nonNull).toList();
        }

        @Override
        void print(List<WorkerView> workers, ShownIds ids) {
            print(table(workers, ids, now()), workers);
        }

        private static Table<WorkerView> table(List<WorkerView> workers, ShownIds ids, Instant now) {
            Table<WorkerView> table = new Table<WorkerView>().column("WORKER", WorkerView::id)
                    .elastic("GROUP", WorkerView::group)
                    .column("STATE", worker -> worker.state().name(), WorkerCommands::style)
                    .column("HEALTH", worker -> worker.health().name())
                    .column("SINCE", worker -> Durations.relative(worker.since(), now))
                    .number("JOBS", worker -> String.valueOf(worker.jobs()))
                    .column("JOB", worker -> worker.job() == null ? "" : ids.of(worker.job()));
            return workers.stream().anyMatch(worker -> worker.facts().containsKey(NOTE))
                    ? table.elastic("NOTE", worker -> worker.facts().getOrDefault(NOTE, "")) : table;
        }
    }

    @Command(name = "show", description = "Show a worker with its history.")
    static final class Show extends ControlCommand {
        @Mixin
        private final WorkerIdParameter id = new WorkerIdParameter();

        Show(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.worker(id.get()), this::print);
            return ExitCode.OK;
        }

        private void field(String name, String value) {
            output().print("%-8s ".formatted(name) + value);
        }

        private void print(WorkerDetail detail) {
            Instant now = now();
            WorkerView worker = detail.worker();
            field("worker", worker.id());
            field("node", worker.node());
            field("group", worker.group());
            field("state", output().styled(style(worker), worker.state().name()) + " for "
                    + Durations.coarse(Duration.between(worker.since(), now)));
            field("health", worker.health().name());
            field("jobs", String.valueOf(worker.jobs()));
            worker.facts().forEach((name, value) -> field(name, fact(name, value)));
            if (worker.job() != null) {
                field("job", worker.job());
            }
            if (!detail.history().isEmpty()) {
                output().print("");
                new Table<StateChange>().column("WHEN", change -> Durations.relative(change.at(), now))
                        .column("FROM", change -> change.from().name()).column("TO", change -> change.to().name())
                        .column("REASON", change -> change.reason().name())
                        .number("AFTER", change -> Durations.coarse(change.after()))
                        .elastic("DETAIL", change -> change.metadata().getOrDefault("why", ""))
                        .print(output(), detail.history());
            }
        }

        private static String fact(String name, String value) {
            return switch (name) {
                case "memory" -> Long.parseLong(value) / (1024 * 1024) + " MB";
                case "cpu" -> value + "% of one processor";
                default -> value;
            };
        }
    }

    /** A command that changes one worker and prints its id. */
    abstract static class Action extends ControlCommand {
        @Mixin
        private final WorkerIdParameter id = new WorkerIdParameter();

        Action(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        final ExitCode execute(Control control) {
            format().one(output(), apply(control, id.get()), worker -> output().print(worker.id()));
            return ExitCode.OK;
        }

        abstract WorkerView apply(Control control, String worker);
    }

    @Command(name = "stop", description = "Stop a worker now. Its current job returns to the queue.")
    static final class Stop extends Action {
        Stop(CliContext context) {
            super(context);
        }

        @Override
        WorkerView apply(Control control, String worker) {
            return control.stopWorker(worker);
        }
    }

    @Command(name = "drain", description = "Stop a worker after its current job.")
    static final class Drain extends Action {
        Drain(CliContext context) {
            super(context);
        }

        @Override
        WorkerView apply(Control control, String worker) {
            return control.drainWorker(worker);
        }
    }

    private static Style style(WorkerView worker) {
        return switch (worker.state()) {
            case READY -> Style.GREEN;
            case BUSY -> Style.CYAN;
            case DEGRADED -> Style.RED;
            case INITIALIZING, TERMINATING -> Style.YELLOW;
            case TERMINATED -> Style.DIM;
        };
    }
}
