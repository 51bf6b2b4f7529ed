package dev.heddle.cli.command;

import java.util.List;

import dev.heddle.cli.shell.CliOutput;
import dev.heddle.control.Control;
import picocli.CommandLine.Option;

/** How a table shows the ids of jobs, as a mixin. */
final class FullIdsOption {

    @Option(names = "--full-ids",
            description = "Show job ids in full. On a terminal, tables show the beginning that is unique.")
    private boolean full;

    /** Returns the ids as the output shows them: short on a terminal, as long as no other job has the same beginning. */
    ShownIds shown(CliOutput output, Control control, List<String> ids) {
        return full || !output.terminal().out() ? ShownIds.FULL : ShownIds.shortened(control, ids);
    }
}
