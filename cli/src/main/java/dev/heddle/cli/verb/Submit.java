package dev.heddle.cli.verb;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Nearest;
import dev.heddle.cli.shell.ProgressLine;
import dev.heddle.cli.shell.Span;
import dev.heddle.control.Control;
import dev.heddle.control.JobDraft;
import dev.heddle.control.Submitted;
import dev.heddle.job.JobId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Submits jobs. */
@Command(name = "submit", description = {
    "Submit a job, or with --lines one for each line, and print the ids.",
    "When it returns, the jobs are on disk, whether a node runs or not."})
final class Submit extends Verb {

    /** As much as goes into one commit, and into one request well below the limit of the server. */
    private static final int JOBS_AT_ONCE = 1_000;
    private static final int CHARACTERS_AT_ONCE = 8_000_000;

    @Parameters(paramLabel = "TYPE", description = "The job type; a node without heddle.yaml serves echo, sleep and fail.") @SuppressWarnings("NullAway.Init") // set before call()
    private String type;

    @Option(names = {"-p",
        "--payload"}, paramLabel = "JSON|@FILE|-", description = "The payload: JSON, a file or standard input; default {}.") private @Nullable String payload;

    @Option(names = "--lines", paramLabel = "FILE|-", description = "Many payloads, one JSON a line, from a file or standard input; all lines are checked before the first is submitted.") private @Nullable String lines;

    @Option(names = "--queue", paramLabel = "QUEUE", description = "The queue; default 'default'.") private @Nullable String queue;

    @Option(names = "--priority", paramLabel = "N", description = "Larger first; default 0.") private @Nullable Integer priority;

    @Option(names = "--delay", paramLabel = "SPAN", converter = Span.class, description = "Start no earlier than this from now, such as 10m.") private @Nullable Duration delay;

    @Option(names = "--at", paramLabel = "TIME", converter = Time.class, description = "Start no earlier than this, such as 2030-01-31T08:00:00Z.") private @Nullable Instant at;

    @Option(names = "--attempts", paramLabel = "N", converter = AtLeastOne.class, description = "How often to try in all, instead of the type's number.") private @Nullable Integer attempts;

    @Option(names = "--timeout", paramLabel = "SPAN", converter = Span.class, description = "The most one attempt may take.") private @Nullable Duration timeout;

    @Option(names = "--dedupe-key", paramLabel = "KEY", description = "While a job of this type with this key has not ended, that one stands for this one.") private @Nullable String dedupeKey;

    @Option(names = "--tag", paramLabel = "TAG", description = "A word to find it by; may be given more than once.") private Set<String> tags = new LinkedHashSet<>();

    @Option(names = "--subject", paramLabel = "SUBJECT", description = "What the job is about.") private @Nullable String subject;

    @Option(names = "--session", paramLabel = "KEY", description = "Keeps the jobs of a client on one worker.") private @Nullable String session;

    @Option(names = "--parent", paramLabel = "ID", description = "The job that this one belongs to.") private @Nullable String parent;

    @Option(names = "--id", paramLabel = "UUID", description = "An id of your own; submitting it twice makes one job.") private @Nullable String id;

    @Option(names = {"-w",
        "--wait"}, description = "Wait until it has ended, print the result, and exit as 'job wait' does.") private boolean wait;

    @Option(names = "--wait-timeout", paramLabel = "SPAN", converter = Span.class, description = "How long to wait at most; default for ever.") private @Nullable Duration waitTimeout;

    Submit(Desk desk) {
        super(desk);
    }

    @Override
    Exit run() throws Exception {
        check();
        List<JobDraft> drafts = drafts();
        List<Submitted.Accepted> accepted;
        try (Access.Found found = new Access(desk()).open(Access.Intent.CHANGE)) {
            accepted = submit(found.control(), drafts);
            if (!found.remote() && !wait) {
                screen().say("no node is running here; the job" + (drafts.size() == 1 ? " waits" : "s wait")
                        + " for one, start it with 'heddle serve'");
            }
        }
        if (!wait) {
            format().many(screen(), accepted, jobs -> jobs.forEach(job -> screen().print(job.id())));
            return Exit.OK;
        }
        try (Waiting waiting = new Waiting(desk(), Optional.ofNullable(waitTimeout))) {
            List<String> ids = accepted.stream().map(Submitted.Accepted::id).toList();
            return new Outcomes(desk(), format()).await(ids, waiting);
        }
    }

    private void check() {
        if (payload != null && lines != null) {
            throw CliException.usage("give --payload or --lines, not both");
        }
        if (delay != null && at != null) {
            throw CliException.usage("give --delay or --at, not both");
        }
        if (timeout != null && timeout.isZero()) {
            throw CliException.usage("--timeout must be longer than zero");
        }
        if (lines != null && (id != null || dedupeKey != null)) {
            throw CliException.usage((id != null ? "--id" : "--dedupe-key")
                    + " belongs to one job; with --lines all would be the same one");
        }
        if (waitTimeout != null && !wait) {
            throw CliException.usage("--wait-timeout needs --wait");
        }
    }

    private List<JobDraft> drafts() throws Exception {
        Payloads payloads = new Payloads(desk().in());
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

    private JobDraft draft(@Nullable JsonNode json, String own) {
        return new JobDraft(type, json, own, queue, priority, delay, at,
                attempts == null ? null : attempts - 1,
                timeout, parent, session, subject, tags.isEmpty() ? null : tags, dedupeKey);
    }

    /** Where the request ends that begins there. */
    static int end(List<JobDraft> drafts, int from) {
        long size = 0;
        int end = from;
        while (end < drafts.size() && end - from < JOBS_AT_ONCE
                && (end == from || size < CHARACTERS_AT_ONCE)) {
            size += String.valueOf(drafts.get(end).payload()).length();
            end++;
        }
        return end;
    }

    /** The type that was meant, where the node that answers has one like it and not this one. */
    private String meant(Control control) {
        List<String> types = control.stats().types();
        return types.contains(type) ? "" : Nearest.hint(type, types, "");
    }

    private List<Submitted.Accepted> submit(Control control, List<JobDraft> drafts) {
        List<Submitted.Accepted> accepted = new ArrayList<>(drafts.size());
        Set<String> warnings = new LinkedHashSet<>();
        try (ProgressLine line = new ProgressLine(screen())) {
            for (int from = 0; from < drafts.size(); from = accepted.size()) {
                Submitted submitted = control.submit(drafts.subList(from, end(drafts, from)));
                accepted.addAll(submitted.jobs());
                warnings.addAll(submitted.warnings());
                line.show(accepted.size(), drafts.size(),
                        accepted.size() + " of " + drafts.size() + " submitted");
            }
        }
        warnings.forEach(warning -> screen().say(warning + meant(control)));
        accepted.stream().filter(Submitted.Accepted::duplicate).findFirst().ifPresent(job -> screen()
                .say("job " + job.id() + " with the same dedupe key has not ended and stands for this one"));
        return accepted;
    }
}
