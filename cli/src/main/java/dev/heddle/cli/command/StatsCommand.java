package dev.heddle.cli.command;

import java.util.Locale;
import java.util.Map;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.Stats;
import dev.heddle.control.model.StatsLine;
import dev.heddle.job.JobState;
import dev.heddle.pool.PoolStats;
import picocli.CommandLine.Command;

/** Prints job counts and the statistics of the running node. */
@Command(name = "stats", description = {"Show job counts, the last hour of each type, and the running node.",
    "Times are percentiles: WAIT from submitting to the first start, RUN of attempts."})
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
        } else {
            node(stats, stats.node());
        }
        if (!stats.byType().isEmpty()) {
            output().print("");
            table().print(output(), stats.byType());
        }
    }

    private static Table<StatsLine> table() {
        return new Table<StatsLine>().elastic("TYPE", StatsLine::type).elastic("QUEUE", StatsLine::queue)
                .number("LIVE", line -> String.valueOf(line.jobs().entrySet().stream()
                        .filter(entry -> !entry.getKey().isFinal()).mapToLong(Map.Entry::getValue).sum()))
                .number("DEAD", line -> String.valueOf(line.jobs().getOrDefault(JobState.FAILED, 0L)))
                .number("DONE/H", line -> String.valueOf(line.completed()))
                .number("FAIL/H", line -> String.valueOf(line.failed()))
                .number("WAIT 95", line -> TopScreen.time(line.waitTime().p95()))
                .number("RUN 50", line -> TopScreen.time(line.runTime().p50()))
                .number("RUN 95", line -> TopScreen.time(line.runTime().p95()));
    }

    private void node(Stats stats, PoolStats node) {
        line("node", String.valueOf(stats.nodeId()));
        line("workers", node.active() + " of " + node.workers() + " busy");
        line("completed", node.completed());
        line("failed", node.failed() + " (" + node.dead() + " dead-lettered)");
        line("average", String.format(Locale.ROOT, "%.1f ms (last 100 jobs)", node.averageMillis()));
        node.held().forEach((type, reason) -> line("held", type + ": " + reason));
    }

    private void line(String name, Object value) {
        output().print(String.format("%-14s %s", name, value));
    }
}
