package dev.heddle.cli.command;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import dev.heddle.cli.shell.DurationConverter;
import dev.heddle.control.model.JobDraft;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of jobs that are submitted now, and of jobs that a schedule submits. */
final class JobOptions {

    @Option(names = "--queue", paramLabel = "QUEUE", description = "Queue name (default: default).")
    private @Nullable String queue;

    @Option(names = "--priority", paramLabel = "N", description = "Priority; higher runs first (default: 0).")
    private @Nullable Integer priority;

    @Option(names = "--attempts", paramLabel = "N", converter = PositiveIntConverter.class,
            description = "Maximum number of attempts.")
    private @Nullable Integer attempts;

    @Option(names = "--timeout", paramLabel = "DURATION", converter = DurationConverter.class,
            description = "Time limit of each attempt.")
    private @Nullable Duration timeout;

    @Option(names = "--tag", paramLabel = "TAG", description = "Tag to filter by; repeatable.")
    private Set<String> tags = new LinkedHashSet<>();

    @Option(names = "--header", paramLabel = "NAME=VALUE",
            description = "Header for the handler, such as a trace id; repeatable.")
    private Map<String, String> headers = new LinkedHashMap<>();

    @Option(names = "--subject", paramLabel = "SUBJECT", description = "What the job is about, to filter by.")
    private @Nullable String subject;

    @Option(names = "--session", paramLabel = "KEY",
            description = "Session key; jobs of a session run on the same worker.")
    private @Nullable String session;

    @Nullable Duration timeout() {
        return timeout;
    }

    /** Returns the draft with these options. */
    JobDraft apply(JobDraft draft) {
        return draft.queue(queue).priority(priority).maxRetries(attempts == null ? null : attempts - 1).timeout(timeout)
                .session(session).subject(subject).tags(tags.isEmpty() ? null : tags)
                .headers(headers.isEmpty() ? null : headers);
    }
}
