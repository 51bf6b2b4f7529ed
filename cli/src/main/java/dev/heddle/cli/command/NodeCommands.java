package dev.heddle.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.DurationConverter;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.NodeDetail;
import dev.heddle.control.model.NodeView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands of {@code heddle node}. */
final class NodeCommands {

    private NodeCommands() {}

    @Command(name = "list", description = "List the nodes that share this store.")
    static final class ListAll extends ListCommand<NodeView> {
        ListAll(CliContext context) {
            super(context);
        }

        @Override
        List<NodeView> fetch(Control control) {
            return control.nodes();
        }

        @Override
        String id(NodeView node) {
            return node.id();
        }

        @Override
        void print(List<NodeView> nodes, ShownIds ids) {
            Instant now = now();
            print(new Table<NodeView>()
                    .elastic("NODE", node -> node.id() + (node.self() ? " (this one)" : ""))
                    .column("STATE", node -> node.alive() ? "ALIVE" : "EXPIRED",
                            node -> node.alive() ? Style.GREEN : Style.RED)
                    .number("WORKERS", node -> String.valueOf(node.workers()))
                    .number("BUSY", node -> String.valueOf(node.busy()))
                    .number("UPTIME", node -> Durations.coarse(Duration.between(node.joinedAt(), now)))
                    .column("LAST SEEN", node -> Durations.relative(node.renewedAt(), now))
                    .column("VERSION", node -> Objects.requireNonNullElse(node.version(), "?"))
                    .number("CPU", node -> node.cpu() == null ? "" : node.cpu() + "%")
                    .number("MEMORY", node -> node.memory() == null ? "" : megabytes(node.memory())), nodes);
        }
    }

    private static String megabytes(long bytes) {
        return bytes / (1024 * 1024) + " MB";
    }

    @Command(name = "show", description = {"Show a node with its configuration.",
        "Settings contain no secrets. 'heddle node diff' compares nodes."})
    static final class Show extends ControlCommand {
        @Parameters(paramLabel = "ID", description = "Node id, or a unique prefix of it.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private String id;

        Show(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.node(id), this::print);
            return ExitCode.OK;
        }

        private void print(NodeDetail detail) {
            NodeView node = detail.node();
            field("node", node.id() + (node.self() ? " (this one)" : ""));
            field("state", node.alive() ? "ALIVE" : "EXPIRED");
            field("version", Objects.requireNonNullElse(node.version(), "unknown"));
            field("java", Objects.requireNonNullElse(node.java(), "unknown"));
            field("started", String.valueOf(Objects.requireNonNullElse(node.startedAt(), node.joinedAt())));
            field("workers", node.workers() + " (" + node.busy() + " busy)");
            if (node.cpu() != null && node.memory() != null) {
                field("cpu", node.cpu() + "% of one processor");
                field("memory", megabytes(node.memory()));
            }
            if (!detail.settings().isEmpty()) {
                output().print("");
                output().print("Settings:");
                detail.settings().forEach((name, value) -> output().print("  " + name + ": " + value));
            }
        }

        private void field(String name, String value) {
            output().print(String.format(Locale.ROOT, "%-10s%s", name, value));
        }
    }

    @Command(name = "diff", description = {"Show where nodes differ: versions and settings.",
        "Prints nothing if all living nodes are alike."})
    static final class Diff extends ControlCommand {
        Diff(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            format().many(output(), control.nodeDifferences(),
                    differences -> differences.forEach(difference -> output().print(difference.text())));
            return ExitCode.OK;
        }
    }

    @Command(name = "drain", description = {"Stop the running node after its current jobs.",
        "Returns immediately. The node starts no new jobs. Shortly before the timeout, unfinished jobs are told to stop and",
        "return to the queue. Repeat the command to shorten the timeout."})
    static final class Drain extends ControlCommand {
        @Option(names = "--timeout", paramLabel = "DURATION", converter = DurationConverter.class,
                description = "Stop the node after this time at the latest, such as 10m (default: no limit).")
        private @Nullable Duration timeout;

        Drain(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.drain(timeout), draining -> output().print("draining node " + draining.node()
                    + ": " + draining.running() + (draining.running() == 1 ? " job" : " jobs") + " running"));
            return ExitCode.OK;
        }
    }
}
