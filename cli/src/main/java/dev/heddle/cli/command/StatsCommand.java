package dev.heddle.cli.command;

import java.util.Locale;
import java.util.Map;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.Stats;
import dev.heddle.job.JobState;
import dev.heddle.pool.PoolStats;
import picocli.CommandLine.Command;

/** Prints job counts and the statistics of the running node. */
@Command(name = "stats", description = "Show job counts and the statistics of the running node.")
final class StatsCommand extends ControlCommand {

    StatsCommand(CliContext context) {
        super(context, Intent.READ);
    }

    @Override
    ExitCode execute(Control control) {
        format().one(output(), control.stats(), this::print);
        return ExitCode.OK;
    }

    private void print(Stats stats) {
        for (JobState state : JobState.values()) {
            if (!state.isFinal() && (stats.jobs().containsKey(state) || state == JobState.QUEUED)) {
                line(state.name().toLowerCase(Locale.ROOT), stats.jobs().getOrDefault(state, 0L));
            }
        }
        line("dead letters", stats.dead());
        if (!stats.pausedQueues().isEmpty()) {
            line("paused queues", String.join(", ", stats.pausedQueues()));
        }
        if (stats.node() == null) {
            output().info("no node is running; start one with 'heddle serve'");
            return;
        }
        node(stats, stats.node());
    }

    private void node(Stats stats, PoolStats node) {
        line("node", String.valueOf(stats.nodeId()));
        line("workers", node.active() + " of " + node.workers() + " busy");
        line("completed", node.completed());
        line("failed", node.failed() + " (" + node.dead() + " dead-lettered)");
        line("average", String.format(Locale.ROOT, "%.1f ms (last 100 jobs)", node.averageMillis()));
        node.held().forEach((type, reason) -> line("held", type + ": " + reason));
        if (!node.types().isEmpty()) {
            output().print("");
            new Table<Map.Entry<String, PoolStats.TypeStats>>().elastic("TYPE", Map.Entry::getKey)
                    .number("ENDED", type -> String.valueOf(type.getValue().count()))
                    .number("AVERAGE", type -> String.format(Locale.ROOT, "%.1f ms", type.getValue().averageMillis()))
                    .print(output(), node.types().entrySet().stream().sorted(Map.Entry.comparingByKey()).toList());
        }
    }

    private void line(String name, Object value) {
        output().print(String.format("%-14s %s", name, value));
    }
}
