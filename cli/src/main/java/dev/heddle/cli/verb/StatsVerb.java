package dev.heddle.cli.verb;

import java.util.Locale;
import java.util.Map;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Screen;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.Stats;
import dev.heddle.job.JobState;
import dev.heddle.pool.PoolStats;
import picocli.CommandLine.Command;

/** How it goes. */
@Command(name = "stats", description = "Show how many jobs there are, and what the running node has done.")
final class StatsVerb extends Question {

    StatsVerb(Desk desk) {
        super(desk, Access.Intent.LOOK);
    }

    @Override
    Exit ask(Control control) {
        format().one(screen(), control.stats(), this::print);
        return Exit.OK;
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
            screen().say("no node is running here; start one with 'heddle serve'");
            return;
        }
        node(stats, stats.node());
    }

    private void node(Stats stats, PoolStats node) {
        line("node", String.valueOf(stats.nodeId()));
        line("workers", node.active() + " of " + node.workers() + " busy");
        line("completed", node.completed());
        line("failed", node.failed() + " attempts, " + node.dead() + " for good");
        line("average", String.format(Locale.ROOT, "%.1f ms over the last 100", node.averageMillis()));
        node.held().forEach((type, reason) -> line("held back", type + ": " + reason));
        if (!node.types().isEmpty()) {
            screen().print("");
            new Table<Map.Entry<String, PoolStats.TypeStats>>().elastic("TYPE", Map.Entry::getKey)
                    .number("ENDED", type -> String.valueOf(type.getValue().count()))
                    .number("AVERAGE",
                            type -> String.format(Locale.ROOT, "%.1f ms", type.getValue().averageMillis()))
                    .print(screen(),
                            node.types().entrySet().stream().sorted(Map.Entry.comparingByKey()).toList());
        }
    }

    private void line(String name, Object value) {
        screen().print(String.format("%-14s %s", name, Screen.harmless(String.valueOf(value))));
    }
}
