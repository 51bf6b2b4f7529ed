package dev.heddle.cli.verb;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Span;
import dev.heddle.cli.shell.Spans;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.NodeView;
import dev.heddle.control.WorkerDetail;
import dev.heddle.control.WorkerView;
import dev.heddle.worker.StateChange;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands about nodes and their workers. */
final class Nodes {

    /** Among what is known of a worker: what is wrong where it is. */
    private static final String NOTE = "note";

    private Nodes() {}

    @Command(name = "list", description = "List the nodes on this store.")
    static final class ListAll extends Question {
        ListAll(Desk desk) {
            super(desk, Access.Intent.LOOK);
        }

        @Override
        Exit ask(Control control) {
            Instant now = desk().clock().instant();
            format().many(screen(), control.nodes(), nodes -> new Table<NodeView>()
                    .elastic("NODE", node -> node.id() + (node.self() ? " (this one)" : ""))
                    .column("STATE", node -> node.alive() ? "ALIVE" : "SILENT",
                            node -> node.alive() ? Style.GREEN : Style.RED)
                    .number("WORKERS", node -> String.valueOf(node.workers()))
                    .number("BUSY", node -> String.valueOf(node.busy()))
                    .number("UP", node -> Spans.coarse(Duration.between(node.joinedAt(), now)))
                    .column("RENEWED", node -> Spans.relative(node.renewedAt(), now)).print(screen(), nodes));
            return Exit.OK;
        }
    }

    @Command(name = "drain", description = {
        "Have the running node finish what it runs, start nothing more, and end.",
        "What takes too long goes back to the queue with its checkpoint. Returns at once."})
    static final class DrainNode extends Question {
        @Option(names = "--timeout", paramLabel = "SPAN", converter = Span.class, description = "How long it may take at most, such as 10m; default for as long as it takes.") private @Nullable Duration timeout;

        DrainNode(Desk desk) {
            super(desk, Access.Intent.LOOK);
        }

        @Override
        Exit ask(Control control) {
            format().one(screen(), control.drain(timeout),
                    draining -> screen().print("node " + draining.node() + " finishes " + draining.running()
                            + (draining.running() == 1 ? " job and ends" : " jobs and ends")));
            return Exit.OK;
        }
    }

    @Command(name = "list", description = "List the workers of all nodes.")
    static final class ListWorkers extends Question {
        ListWorkers(Desk desk) {
            super(desk, Access.Intent.LOOK);
        }

        @Override
        Exit ask(Control control) {
            Instant now = desk().clock().instant();
            format().many(screen(), control.workers(),
                    workers -> table(workers, now).print(screen(), workers));
            return Exit.OK;
        }

        private static Table<WorkerView> table(List<WorkerView> workers, Instant now) {
            Table<WorkerView> table = new Table<WorkerView>()
                    .column("WORKER", WorkerView::id)
                    .elastic("GROUP", WorkerView::group)
                    .column("STATE", worker -> worker.state().name(), Nodes::style)
                    .column("HEALTH", worker -> worker.health().name())
                    .number("FOR", worker -> Spans.coarse(Duration.between(worker.since(), now)))
                    .number("JOBS", worker -> String.valueOf(worker.jobs()))
                    .column("JOB", worker -> worker.job() == null ? "" : worker.job());
            return workers.stream().anyMatch(worker -> worker.facts().containsKey(NOTE))
                    ? table.elastic("NOTE", worker -> worker.facts().getOrDefault(NOTE, ""))
                    : table;
        }
    }

    @Command(name = "show", description = "Show a worker with what it went through.")
    static final class ShowWorker extends Question {
        @Parameters(paramLabel = "ID", description = "The worker, by its id, the beginning of it, or its name after the node's.") @SuppressWarnings("NullAway.Init") // set before call()
        private String id;

        ShowWorker(Desk desk) {
            super(desk, Access.Intent.LOOK);
        }

        @Override
        Exit ask(Control control) {
            format().one(screen(), control.worker(id), this::print);
            return Exit.OK;
        }

        private void line(String key, String value) {
            screen().print("%-8s ".formatted(key) + value);
        }

        private void print(WorkerDetail detail) {
            Instant now = desk().clock().instant();
            WorkerView worker = detail.worker();
            line("worker", worker.id());
            line("node", worker.node());
            line("group", worker.group());
            line("state", screen().styled(style(worker), worker.state().name()) + " for "
                    + Spans.coarse(Duration.between(worker.since(), now)));
            line("health", worker.health().name());
            line("jobs", String.valueOf(worker.jobs()));
            worker.facts().forEach((name, value) -> line(name, fact(name, value)));
            if (worker.job() != null) {
                line("job", worker.job());
            }
            if (!detail.history().isEmpty()) {
                screen().print("");
                new Table<StateChange>().column("WHEN", change -> Spans.relative(change.at(), now))
                        .column("FROM", change -> change.from().name())
                        .column("TO", change -> change.to().name())
                        .column("REASON", change -> change.reason().name())
                        .number("AFTER", change -> Spans.coarse(change.after()))
                        .elastic("WHY", change -> change.metadata().getOrDefault("why", ""))
                        .print(screen(), detail.history());
            }
        }
    }

    private static String fact(String name, String value) {
        return name.equals("memory") ? Long.parseLong(value) / (1024 * 1024) + " MB" : value;
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
