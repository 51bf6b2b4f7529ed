package dev.heddle.server;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.heddle.control.Batch;
import dev.heddle.control.BatchView;
import dev.heddle.control.BudgetDraft;
import dev.heddle.control.BudgetView;
import dev.heddle.control.Control;
import dev.heddle.control.ConversationView;
import dev.heddle.control.Count;
import dev.heddle.control.DeadLetterView;
import dev.heddle.control.DeadPage;
import dev.heddle.control.Drain;
import dev.heddle.control.Draining;
import dev.heddle.control.JobDetail;
import dev.heddle.control.JobDraft;
import dev.heddle.control.JobFilter;
import dev.heddle.control.JobLog;
import dev.heddle.control.JobPage;
import dev.heddle.control.JobTree;
import dev.heddle.control.JobView;
import dev.heddle.control.LogPiece;
import dev.heddle.control.NodeView;
import dev.heddle.control.OutputPiece;
import dev.heddle.control.QueueName;
import dev.heddle.control.QueueView;
import dev.heddle.control.Reason;
import dev.heddle.control.SessionKey;
import dev.heddle.control.SessionView;
import dev.heddle.control.Stats;
import dev.heddle.control.Submitted;
import dev.heddle.control.UnitPage;
import dev.heddle.control.WorkerDetail;
import dev.heddle.control.WorkerView;
import dev.heddle.server.Route.Param;
import tools.jackson.core.type.TypeReference;

/** Everything that can be asked below {@code /api/v1}, and answered as JSON. */
final class Routes {

    static final String BASE = "/api/v1";

    private static final List<Param> FILTER = List.of(
            new Param("state", "string",
                    "only jobs in this state; may be given more than once, or with commas", true),
            new Param("type", "string", "only jobs of this type", false),
            new Param("queue", "string", "only jobs in this queue", false),
            new Param("subject", "string", "only jobs about this", false),
            new Param("tag", "string", "only jobs with this tag", false),
            new Param("parent", "string", "only children of this job", false),
            new Param("text", "string", "only jobs in one attempt of which all these words were said", false),
            new Param("cursor", "string", "'next' of the page before", false),
            new Param("limit", "integer", "how many, from 1 to 1000; 100 where it is not given", false));

    private static final List<Param> TIMEOUT = List.of(
            new Param("timeout", "string", "an ISO-8601 duration, 60 s at most; PT60S where it is not given",
                    false));

    private static final int GENERATIONS = 5;
    private static final int JOBS = 100;

    private static final List<Param> TREE = List.of(
            new Param("generations", "integer",
                    "how many, the job's own included, from 1 to 20; 5 where it is not given",
                    false),
            new Param("limit", "integer", "how many jobs in all, from 1 to 1000; 100 where it is not given",
                    false));

    private static final List<Param> ATTEMPT = List.of(
            new Param("attempt", "integer", "the number of the attempt; the last one where it is not given",
                    false));

    private static final List<Param> OUTPUT = List.of(ATTEMPT.getFirst(),
            new Param("channel", "string", "stdout or stderr; stdout where it is not given", false),
            new Param("offset", "integer", "'next' of the piece before; 0 where it is not given", false),
            new Param("timeout", "string",
                    "how long to wait for more while the job runs: an ISO-8601 duration, 60 s at most",
                    false));

    private static final List<Param> LOG = List.of(
            new Param("offset", "integer", "'next' of the piece before; 0 where it is not given", false),
            new Param("timeout", "string",
                    "how long to wait for more: an ISO-8601 duration, 60 s at most; PT60S where it is not given",
                    false));

    private static final Type QUEUES = new TypeReference<List<QueueView>>() {}.getType();
    private static final Type NODES = new TypeReference<List<NodeView>>() {}.getType();
    private static final List<Param> UNITS = List.of(
            new Param("cursor", "string", "'next' of the page before", false),
            new Param("limit", "integer", "how many, from 1 to 1000; 100 where it is not given", false));

    private static final Type BATCHES = new TypeReference<List<BatchView>>() {}.getType();
    private static final Type BUDGETS = new TypeReference<List<BudgetView>>() {}.getType();
    private static final Type SESSIONS = new TypeReference<List<SessionView>>() {}.getType();
    private static final Type WORKERS = new TypeReference<List<WorkerView>>() {}.getType();

    private Routes() {}

    static List<Route> of(Control control, Duration longestWait, HereOnly hereOnly) {
        List<Route> routes = new ArrayList<>();
        routes.addAll(jobs(control, longestWait, hereOnly));
        routes.addAll(deadLetters(control));
        routes.add(Route.get("/queues", "All queues that have jobs or are paused", QUEUES,
                _ -> control.queues()));
        routes.add(Route.post("/queues/pause", "Let nothing of a queue start", QueueView.class,
                call -> control.pauseQueue(call.body(QueueName.class).queue())).reads(QueueName.class));
        routes.add(Route.post("/queues/resume", "Let jobs of a queue start again", QueueView.class,
                call -> control.resumeQueue(call.body(QueueName.class).queue())).reads(QueueName.class));
        routes.add(Route.get("/nodes", "The nodes on the store", NODES, _ -> control.nodes()));
        routes.add(Route.get("/workers", "The workers of all nodes", WORKERS,
                _ -> control.workers()));
        routes.add(Route.post("/workers", "One worker more on this node", WorkerView.class,
                _ -> control.startWorker()));
        routes.add(Route.post("/workers/<id>/stop", "One worker fewer; what it runs goes back to the queue",
                WorkerView.class, call -> control.stopWorker(call.id())));
        routes.add(Route.post("/workers/<id>/drain", "One worker fewer, once it has ended what it runs",
                WorkerView.class, call -> control.drainWorker(call.id())));
        // Before the next: an id may have slashes in it.
        routes.add(Route.get("/workers/<id>/log", "A piece of a worker's log", LogPiece.class,
                call -> control.workerLog(call.id(), call.offset(), call.timeout(longestWait))).query(LOG));
        routes.add(Route.get("/workers/<id>", "A worker with its history", WorkerDetail.class,
                call -> control.worker(call.id())));
        routes.addAll(batches(control));
        routes.add(Route.get("/budgets", "All budgets and how they stand", BUDGETS, _ -> control.budgets()));
        routes.add(Route.post("/budgets", "Set a budget", BudgetView.class,
                call -> control.setBudget(call.body(BudgetDraft.class))).reads(BudgetDraft.class));
        routes.add(Route.get("/sessions",
                "The clients' sessions, the most recently begun first, 1000 at most", SESSIONS,
                _ -> control.sessions()));
        routes.add(Route.post("/sessions/drop", "End a client's session", Count.class,
                call -> control.dropSession(call.body(SessionKey.class).session())).reads(SessionKey.class));
        routes.add(Route.get("/stats", "How it goes", Stats.class, _ -> control.stats()));
        routes.add(Route.post("/drain", "Have the node finish what it runs, start nothing more, and end",
                Draining.class, call -> control.drain(call.body(Drain.class, new Drain(null)).atMost()))
                .mayRead(Drain.class));
        return List.copyOf(routes);
    }

    private static List<Route> jobs(Control control, Duration longestWait, HereOnly hereOnly) {
        return List.of(
                Route.post("/jobs", "Submit a job", Submitted.class,
                        call -> control.submit(hereOnly.admit(List.of(call.body(JobDraft.class)), call)))
                        .reads(JobDraft.class)
                        .created(),
                Route.post("/jobs/bulk", "Submit many jobs in one commit", Submitted.class,
                        call -> control.submit(hereOnly.admit(batch(call), call))).reads(Batch.class)
                        .ofManyJobs().created(),
                Route.get("/jobs", "List jobs, newest first", JobPage.class,
                        call -> control.jobs(call.filter()))
                        .query(FILTER),
                Route.get("/jobs/{id}", "A job with its attempts and its history", JobDetail.class,
                        call -> control.job(call.id())),
                Route.get("/jobs/{id}/tree", "A job with its children, and theirs", JobTree.class,
                        call -> control.tree(call.id(), call.number("generations", GENERATIONS),
                                call.number("limit", JOBS)))
                        .query(TREE),
                Route.get("/jobs/{id}/logs", "How a job went, as lines", JobLog.class,
                        call -> control.logs(call.id())),
                Route.get("/jobs/{id}/conversation", "What was said in a run of an agent",
                        ConversationView.class,
                        call -> control.conversation(call.id(), call.attempt())).query(ATTEMPT),
                Route.get("/jobs/{id}/output", "A piece of what a job's processes wrote", OutputPiece.class,
                        call -> control.output(call.id(), call.output(longestWait))).query(OUTPUT),
                Route.get("/jobs/{id}/wait",
                        "The job once it has ended, or as it stands when the time is over",
                        JobDetail.class, call -> control.await(call.id(), call.timeout(longestWait)))
                        .query(TIMEOUT),
                Route.post("/jobs/{id}/cancel", "End a job that has not ended, with its children",
                        JobView.class,
                        call -> control.cancel(call.id(), reason(call))).mayRead(Reason.class),
                Route.post("/jobs/{id}/pause", "Hold back a job that waits", JobView.class,
                        call -> control.pause(call.id(), reason(call))).mayRead(Reason.class),
                Route.post("/jobs/{id}/resume", "Let a paused job go on", JobView.class,
                        call -> control.resume(call.id())),
                Route.post("/jobs/{id}/retry", "Queue a dead letter again", JobView.class,
                        call -> control.retry(call.id())),
                Route.delete("/jobs/{id}", "Remove a job that no node runs", JobView.class,
                        call -> control.delete(call.id())));
    }

    private static List<Route> batches(Control control) {
        return List.of(
                Route.get("/batches", "All batches, newest first", BATCHES, _ -> control.batches()),
                Route.get("/batches/{id}", "A batch and how far it is", BatchView.class,
                        call -> control.batch(call.id())),
                Route.get("/batches/{id}/units", "Units of a batch with what came of them", UnitPage.class,
                        call -> control.units(call.id(), call.cursor(), call.number("limit", JOBS)))
                        .query(UNITS),
                Route.post("/batches/{id}/approve",
                        "Let the rest of a batch run of which some units were tried",
                        BatchView.class, call -> control.approveBatch(call.id())),
                Route.post("/batches/{id}/retry", "Queue the failed units of a batch again", Count.class,
                        call -> control.retryBatch(call.id())));
    }

    private static List<Route> deadLetters(Control control) {
        return List.of(
                Route.get("/dead-letters", "List dead letters, newest first", DeadPage.class,
                        call -> control.deadLetters(call.filter())).query(FILTER),
                Route.post("/dead-letters/retry", "Queue matching dead letters again, up to the limit",
                        Count.class,
                        call -> control.retryDead(call.body(JobFilter.class))).reads(JobFilter.class),
                Route.post("/dead-letters/purge", "Delete matching dead letters, up to the limit",
                        Count.class,
                        call -> control.purgeDead(call.body(JobFilter.class))).reads(JobFilter.class),
                Route.get("/dead-letters/{id}", "A dead letter", DeadLetterView.class,
                        call -> control.deadLetter(call.id())),
                Route.post("/dead-letters/{id}/retry", "Queue a dead letter again", JobView.class,
                        call -> control.retry(call.id())));
    }

    private static List<JobDraft> batch(Call call) {
        return Objects.requireNonNullElse(call.body(Batch.class).jobs(), List.of());
    }

    private static String reason(Call call) {
        return Objects.requireNonNullElse(call.body(Reason.class, new Reason(null)).reason(), "");
    }
}
