package dev.heddle.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.DurationConverter;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.NodeView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
                    .column("LAST SEEN", node -> Durations.relative(node.renewedAt(), now)), nodes);
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
