package dev.heddle.control.local;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.heddle.control.ControlException;
import dev.heddle.control.local.BulkOrder.Progress;
import dev.heddle.control.model.BulkAction;
import dev.heddle.control.model.BulkDraft;
import dev.heddle.control.model.BulkView;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.JsonMappers;
import dev.heddle.query.QueryParser;
import dev.heddle.query.QueryTimeoutException;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static dev.heddle.control.local.InputChecks.present;

/** Starts and shows bulk operations. Each is a job of a reserved type, which {@link BulkHandler} runs. */
record Bulks(Backend backend, String actor, SubmissionGate gate) {

    private static final JsonMapper MAPPER = JsonMappers.standard();
    private static final int MOST = 100;
    /** They do not wait behind the jobs that they are about. */
    private static final int PRIORITY = 1_000_000;
    /** How many jobs are counted at once, and how long counting may take in all before the rest is estimated. */
    private static final long WINDOW = 50_000;
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private record Count(long jobs, boolean estimated) {}

    BulkView start(BulkDraft draft) {
        BulkOrder order = order(draft);
        if (Boolean.TRUE.equals(draft.dryRun())) {
            return new BulkView(null, order.action(), order.q(), null, actor, order.total(), order.estimated(), 0, 0, 0,
                    order.now(), null, null);
        }
        backend.pool().ifPresent(BulkHandler::register);
        JsonNode payload = MAPPER.valueToTree(order);
        var id = backend.submit(List.of(JobRequests.jsonType(BulkOrder.TYPE).with(payload).priority(PRIORITY)))
                .getFirst().id();
        return view(new JobResolver(backend.jobs()).details(id));
    }

    private BulkOrder order(BulkDraft draft) {
        BulkAction action = present("action", draft.action());
        String q = present("q", draft.q());
        Instant now = backend.now();
        if (q.isBlank()) {
            throw ControlException.invalid("q is empty; name the jobs, such as state:failed type:mail");
        }
        QueryParser.parse(q, now);
        if ((draft.priority() != null) != (action == BulkAction.REPRIORITIZE)) {
            throw ControlException.invalid("a priority is for REPRIORITIZE, and only for that");
        }
        if ((draft.queue() != null) != (action == BulkAction.MOVE)) {
            throw ControlException.invalid("a queue is for MOVE, and only for that");
        }
        String queue = draft.queue() == null ? null : InputChecks.name("queue", draft.queue());
        long last = backend.jobs().list(JobQuery.all().limit(1)).stream().mapToLong(Job::seq).findFirst().orElse(0);
        BulkOrder uncounted = new BulkOrder(action, q, now, last, 0, false, actor,
                InputChecks.reason(draft.reason(), action == BulkAction.PAUSE ? "paused" : "cancelled"),
                draft.priority(), queue, gate.mayRunCommandLines(), gate.closedTypes());
        Count count = count(uncounted.query(), last);
        return new BulkOrder(action, q, now, last, count.jobs, count.estimated, actor, uncounted.reason(),
                draft.priority(), queue, uncounted.commandLines(), uncounted.closedTypes());
    }

    /** Counts from the newest jobs back. If that takes long, the older ones are taken to match as often. */
    private Count count(JobQuery query, long last) {
        long first = backend.jobs().list(JobQuery.all().after(0).limit(1)).stream().mapToLong(Job::seq).findFirst()
                .orElse(1);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        long jobs = 0;
        for (long to = last; to >= first; to -= WINDOW) {
            try {
                jobs += backend.jobs().count(query.after(Math.max(0, to - WINDOW)).before(to + 1));
            } catch (QueryTimeoutException e) {
                return estimate(jobs, last - to, last - first + 1);
            }
            if (System.nanoTime() > deadline && to - WINDOW >= first) {
                return estimate(jobs, last - to + WINDOW, last - first + 1);
            }
        }
        return new Count(jobs, false);
    }

    private static Count estimate(long found, long looked, long all) {
        return new Count(looked == 0 ? 0 : Math.round((double) found * all / looked), true);
    }

    List<BulkView> list() {
        return backend.jobs().list(JobQuery.all().type(BulkOrder.TYPE).limit(MOST)).stream()
                .flatMap(job -> backend.jobs().details(job.id()).stream()).map(Bulks::view).toList();
    }

    BulkView find(String id) {
        return view(new JobResolver(backend.jobs()).details(bulk(id).id()));
    }

    /** Returns the job of a bulk operation. */
    Job bulk(String id) {
        Job job = new JobResolver(backend.jobs()).job(id);
        if (!job.type().equals(BulkOrder.TYPE)) {
            throw ControlException.notFound("job " + job.id() + " is not a bulk operation");
        }
        return job;
    }

    private static BulkView view(JobDetails details) {
        Job job = details.job();
        BulkOrder order = MAPPER.readValue(job.spec().payload(), BulkOrder.class);
        String saved = job.result().or(() -> details.saved().checkpoint()).orElse(null);
        Progress progress = saved == null ? new Progress(0, 0, 0, 0) : MAPPER.readValue(saved, Progress.class);
        return new BulkView(job.id().toString(), order.action(), order.q(), job.state(), order.actor(), order.total(),
                order.estimated(), progress.done(), progress.failed(), progress.skipped(), job.spec().createdAt(),
                job.endedAt().orElse(null),
                job.state() == JobState.FAILED ? job.failure().map(Failure::message).orElse(null) : null);
    }
}
