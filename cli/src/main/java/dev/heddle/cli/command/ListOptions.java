package dev.heddle.cli.command;

import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.OutputFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of commands that list something, as a mixin. */
final class ListOptions {

    @Option(names = {"-q", "--quiet"}, description = "Print only ids or names, in full, one per line.")
    private boolean quiet;

    @Option(names = "--no-headers", description = "Print no column titles.")
    private boolean noHeaders;

    @Option(names = "--watch", paramLabel = "SECONDS", arity = "0..1", fallbackValue = "2",
            converter = PositiveIntConverter.class,
            description = "Repeat until Ctrl-C, as --watch every 2 seconds, or as --watch=10.")
    private @Nullable Integer watch;

    @Mixin
    private final FullIdsOption fullIds = new FullIdsOption();

    /** Rejects combinations that make no sense. */
    void validate(OutputFormat format) {
        if (!format.isTable() && (quiet || noHeaders || watch != null)) {
            throw CliException
                    .usage("use " + (quiet ? "--quiet" : noHeaders ? "--no-headers" : "--watch") + " without -o");
        }
    }

    boolean quiet() {
        return quiet;
    }

    boolean headers() {
        return !noHeaders;
    }

    /** Returns the seconds between repetitions; null to list once. */
    @Nullable Integer watch() {
        return watch;
    }

    FullIdsOption ids() {
        return fullIds;
    }
}
