package dev.heddle.cli.command;

import dev.heddle.control.model.JobFilter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select jobs, as a mixin. */
final class JobFilterOptions {

    @Option(names = "--type", paramLabel = "TYPE", description = "Only jobs of this type.")
    private @Nullable String type;

    @Option(names = "--queue", paramLabel = "QUEUE", description = "Only jobs in this queue.")
    private @Nullable String queue;

    @Option(names = "--subject", paramLabel = "SUBJECT", description = "Only jobs with this subject.")
    private @Nullable String subject;

    @Option(names = "--tag", paramLabel = "TAG", description = "Only jobs with this tag.")
    private @Nullable String tag;

    @Option(names = "--parent", paramLabel = "ID", description = "Only children of this job.")
    private @Nullable String parent;

    JobFilter filter() {
        return new JobFilter(null, type, queue, subject, tag, parent, null, null, null, null);
    }

    /** Returns whether any option was given. */
    boolean isRestrictive() {
        return type != null || queue != null || subject != null || tag != null || parent != null;
    }
}
