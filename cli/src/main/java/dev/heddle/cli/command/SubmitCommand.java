package dev.heddle.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.DidYouMean;
import dev.heddle.cli.shell.DurationConverter;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.ProgressLine;
import dev.heddle.control.Control;
import dev.heddle.control.ControlJson;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.SubmitResult;
import dev.heddle.job.JobId;
import dev.heddle.job.Limits;
import dev.heddle.pool.PoolSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Submits jobs. */
@Command(name = "submit", description = {"Submit jobs and print their ids.",
    "The jobs are stored durably, with or without a running node."}, footerHeading = "%nExamples:%n",
        footer = {
            "  heddle submit sleep -p '{\"seconds\": 2}' --wait",
            "  heddle submit mail --lines mails.jsonl --queue night",
            "  heddle submit report --at 2030-01-31T08:00:00Z --tag monthly"})
final class SubmitCommand extends OutputCommand {

    /** Limits of one request, which the node stores in one commit. They stay well below the limit of the server. */
    private static final int MAX_JOBS_PER_REQUEST = 1_000;
    private static final int MAX_CHARACTERS_PER_REQUEST = 8_000_000;

    @Parameters(paramLabel = "TYPE", description = "Job type. Built-in types: echo, sleep, fail.")
    @SuppressWarnings("NullAway.Init") // set before call()
    private String type;

    @Option(names = {"-p", "--payload"}, paramLabel = "JSON|@FILE|-",
            description = "Job payload: JSON, a file or standard input (default: {}).")
    private @Nullable String payload;

    @Option(names = "--lines", paramLabel = "FILE|-",
            description = "Submit one job per line of this file or standard input, each line a JSON payload. Submits nothing if a line is invalid.")
    private @Nullable String lines;

    @Option(names = "--delay", paramLabel = "DURATION", converter = DurationConverter.class,
            description = "Start after this delay, such as 10m.")
    private @Nullable Duration delay;

    @Option(names = "--at", paramLabel = "TIME", converter = InstantConverter.class,
            description = "Start at or after this time (ISO 8601).")
    private @Nullable Instant at;

    @Option(names = "--limit-key", paramLabel = "LIMIT=KEY",
            description = "Key of a limit, instead of the one in the payload; repeatable.")
    private Map<String, String> limitKeys = new LinkedHashMap<>();

    @Mixin
    private final DedupeOptions dedupe = new DedupeOptions();

    @Mixin
    private final JobOptions options = new JobOptions();

    @Option(names = "--parent", paramLabel = "ID", description = "Parent job.")
    private @Nullable String parent;

    @Option(names = "--id", paramLabel = "UUID", description = "Job id. Submitting it again has no effect.")
    private @Nullable String id;

    @Option(names = {"-w", "--wait"},
            description = "Wait for the job to end, print its result, and exit like 'job wait'.")
    private boolean wait;

    @Option(names = "--wait-timeout", paramLabel = "DURATION", converter = DurationConverter.class,
            description = "Stop waiting after this time (default: no limit).")
    private @Nullable Duration waitTimeout;

    SubmitCommand(CliContext context) {
        super(context);
    }

    @Override
    ExitCode run() throws Exception {
        validate();
        List<JobDraft> drafts = drafts();
        List<SubmitResult.Accepted> accepted;
        try (Connector.Connection connection = new Connector(context()).open(Connector.Intent.WRITE)) {
            accepted = submit(connection.control(), drafts);
            if (!connection.remote() && !wait) {
                output().info("submitted; no node is running, start one with 'heddle serve'");
            }
        }
        if (!wait) {
            format().many(output(), accepted, jobs -> jobs.forEach(job -> output().print(job.id())));
            return ExitCode.OK;
        }
        try (JobWaiter waiter = new JobWaiter(context(), format(), waitTimeout)) {
            return waiter.await(accepted.stream().map(SubmitResult.Accepted::id).toList());
        }
    }

    private void validate() {
        if (payload != null && lines != null) {
            throw CliException.usage("use --payload or --lines, not both");
        }
        if (delay != null && at != null) {
            throw CliException.usage("use --delay or --at, not both");
        }
        Duration timeout = options.timeout();
        if (timeout != null && timeout.isZero()) {
            throw CliException.usage("--timeout must be longer than zero");
        }
        if (lines != null && (id != null || dedupe.hasKey())) {
            throw CliException.usage((id != null ? "--id" : "--dedupe-key")
                    + " cannot be used with --lines, which submits several jobs");
        }
        dedupe.validate(delay != null || at != null);
        if (waitTimeout != null && !wait) {
            throw CliException.usage("--wait-timeout needs --wait");
        }
    }

    private List<JobDraft> drafts() throws Exception {
        PayloadReader payloads = new PayloadReader(context().in());
        if (lines == null) {
            JsonNode only = payload == null ? null : payloads.one(payload);
            return List.of(draft(only, id == null ? JobId.next().toString() : id));
        }
        List<JobDraft> drafts = new ArrayList<>();
        for (JsonNode each : payloads.lines(lines)) {
            drafts.add(draft(each, JobId.next().toString()));
        }
        return drafts;
    }

    /**
     * Rejects payloads that no node would accept. A node answers so, too, but not if a request has more bytes than it
     * reads.
     */
    private void check(JsonNode json) {
        try {
            Limits.payload("payload of job type '" + type + "'", ControlJson.bytes(json).length,
                    PoolSettings.PAYLOAD_LIMIT);
        } catch (IllegalArgumentException e) {
            throw CliException.usage(String.valueOf(e.getMessage()));
        }
    }

    private JobDraft draft(@Nullable JsonNode json, String own) {
        if (json != null) {
            check(json);
        }
        return dedupe.apply(options.apply(JobDraft.of(type, json))).id(own).delay(delay).runAt(at).parent(parent)
                .limitKeys(limitKeys.isEmpty() ? null : limitKeys);
    }

    /** Returns the end index of the request that starts with the given draft. */
    static int end(List<JobDraft> drafts, int from) {
        long size = 0;
        int end = from;
        while (end < drafts.size() && end - from < MAX_JOBS_PER_REQUEST
                && (end == from || size < MAX_CHARACTERS_PER_REQUEST)) {
            size += String.valueOf(drafts.get(end).payload()).length();
            end++;
        }
        return end;
    }

    /** Returns what to say of a submit beside the id; empty for nothing. */
    private static String note(SubmitResult.Accepted job) {
        return switch (job.effect()) {
            case CREATED -> "";
            case SUCCEEDS -> "job " + job.id() + " runs once the job with its key has ended";
            case SUPERSEDED -> "job " + job.id() + " supersedes the job with its key, which was cancelled";
            case REPLACED -> "job " + job.id() + " was waiting; it has this payload and these options now";
            case DEBOUNCED -> "job " + job.id() + " was waiting; it has this payload now, and starts later";
            case UNCHANGED -> "job " + job.id() + " exists already; no new job submitted";
        };
    }

    /** Suggests a known type if the node does not know the given one. */
    private String suggestion(Control control) {
        List<String> types = control.stats().types();
        return types.contains(type) ? "" : DidYouMean.hint(type, types, "");
    }

    private List<SubmitResult.Accepted> submit(Control control, List<JobDraft> drafts) {
        List<SubmitResult.Accepted> accepted = new ArrayList<>(drafts.size());
        Set<String> warnings = new LinkedHashSet<>();
        try (ProgressLine line = new ProgressLine(output())) {
            for (int from = 0; from < drafts.size(); from = accepted.size()) {
                SubmitResult submitted = control.submit(drafts.subList(from, end(drafts, from)));
                accepted.addAll(submitted.jobs());
                warnings.addAll(submitted.warnings());
                line.show(accepted.size(), drafts.size(), accepted.size() + " of " + drafts.size() + " submitted");
            }
        }
        warnings.forEach(warning -> output().info(warning + suggestion(control)));
        accepted.stream().map(SubmitCommand::note).filter(note -> !note.isEmpty()).findFirst()
                .ifPresent(output()::info);
        return accepted;
    }
}
