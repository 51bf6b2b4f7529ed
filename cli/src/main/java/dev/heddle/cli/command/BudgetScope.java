package dev.heddle.cli.command;

import dev.heddle.cli.shell.CliException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which jobs a budget limits, as a mixin. */
final class BudgetScope {

    @Option(names = "--type", paramLabel = "TYPE", description = "The budget of this job type.")
    private @Nullable String type;

    @Option(names = "--tag", paramLabel = "TAG", description = "The budget of the jobs with this tag.")
    private @Nullable String tag;

    void validate() {
        if (type != null && tag != null) {
            throw CliException.usage("use --type or --tag, not both; without them, the budget is for the whole pool");
        }
    }

    /** Returns the scope as the API knows it. */
    String text() {
        return type != null ? "type:" + type : tag != null ? "tag:" + tag : "pool";
    }
}
