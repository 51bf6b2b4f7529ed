package dev.heddle.cli.verb;

import dev.heddle.control.JobFilter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which jobs, as options. */
final class Filter {

    @Option(names = "--type", paramLabel = "TYPE", description = "Only jobs of this type.") private @Nullable String type;

    @Option(names = "--queue", paramLabel = "QUEUE", description = "Only jobs of this queue.") private @Nullable String queue;

    @Option(names = "--subject", paramLabel = "SUBJECT", description = "Only jobs about this.") private @Nullable String subject;

    @Option(names = "--tag", paramLabel = "TAG", description = "Only jobs with this tag.") private @Nullable String tag;

    @Option(names = "--parent", paramLabel = "ID", description = "Only children of this job.") private @Nullable String parent;

    JobFilter filter() {
        return new JobFilter(null, type, queue, subject, tag, parent, null, null, null);
    }

    /** Whether it leaves anything out. */
    boolean isNarrow() {
        return type != null || queue != null || subject != null || tag != null || parent != null;
    }
}
