package dev.heddle.control.http;

import java.lang.reflect.Field;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import dev.heddle.access.Role;
import dev.heddle.control.Control;
import dev.heddle.control.model.AffectedCount;
import dev.heddle.control.model.ArtifactView;
import dev.heddle.control.model.AuditPage;
import dev.heddle.control.model.BackfillDraft;
import dev.heddle.control.model.BackfillResult;
import dev.heddle.control.model.BatchView;
import dev.heddle.control.model.BudgetDraft;
import dev.heddle.control.model.BudgetView;
import dev.heddle.control.model.BulkDraft;
import dev.heddle.control.model.BulkView;
import dev.heddle.control.model.CallerView;
import dev.heddle.control.model.ContinueDraft;
import dev.heddle.control.model.ConversationView;
import dev.heddle.control.model.DeadLetterPage;
import dev.heddle.control.model.DeadLetterView;
import dev.heddle.control.model.DrainResult;
import dev.heddle.control.model.ErrorDetail;
import dev.heddle.control.model.ErrorNote;
import dev.heddle.control.model.ErrorView;
import dev.heddle.control.model.JobDetail;
import dev.heddle.control.model.JobDiff;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.JobFilter;
import dev.heddle.control.model.JobLog;
import dev.heddle.control.model.JobPage;
import dev.heddle.control.model.JobTree;
import dev.heddle.control.model.JobView;
import dev.heddle.control.model.JobWhy;
import dev.heddle.control.model.LimitDraft;
import dev.heddle.control.model.LimitView;
import dev.heddle.control.model.LogChunk;
import dev.heddle.control.model.NewTokenView;
import dev.heddle.control.model.NodeDetail;
import dev.heddle.control.model.NodeDifference;
import dev.heddle.control.model.NodeView;
import dev.heddle.control.model.OutputChunk;
import dev.heddle.control.model.ProgressBody;
import dev.heddle.control.model.QueryFieldView;
import dev.heddle.control.model.QueueView;
import dev.heddle.control.model.ResubmitDraft;
import dev.heddle.control.model.SavedView;
import dev.heddle.control.model.ScheduleDetail;
import dev.heddle.control.model.ScheduleDraft;
import dev.heddle.control.model.SchedulePage;
import dev.heddle.control.model.ScheduleView;
import dev.heddle.control.model.SessionView;
import dev.heddle.control.model.SpawnResult;
import dev.heddle.control.model.Stats;
import dev.heddle.control.model.StatsSeries;
import dev.heddle.control.model.SubmitResult;
import dev.heddle.control.model.TokenDraft;
import dev.heddle.control.model.TokenView;
import dev.heddle.control.model.UnitPage;
import dev.heddle.control.model.ViewDraft;
import dev.heddle.control.model.WorkerDetail;
import dev.heddle.control.model.WorkerView;
import dev.heddle.control.remote.RemoteControl;
import dev.heddle.log.LogQuery;
import tools.jackson.core.type.TypeReference;

import static dev.heddle.access.Role.ADMIN;
import static dev.heddle.access.Role.OPERATOR;
import static dev.heddle.access.Role.VIEWER;

/**
 * The endpoints of the HTTP API below {@link #BASE}, in the order in which a server matches them. This is the only
 * list: {@link RemoteControl} builds its requests from it, and the server derives its routes and the OpenAPI document.
 *
 * <p>To add an endpoint, add a constant here with the least role that it needs, call it in {@link RemoteControl} and bind it in the server's routes.
 */
public final class Endpoints {

    /** The path prefix of every endpoint. */
    public static final String BASE = "/api/v1";

    /** The header in which commands say who runs them. It counts only with the node's own token. */
    public static final String USER_HEADER = "Heddle-User";

    /** How many generations of a tree a request gets if it does not say. */
    public static final int DEFAULT_GENERATIONS = 5;

    /** How many items of a page or a tree a request gets if it does not say. */
    public static final int DEFAULT_LIMIT = 100;

    /** The parameter {@code state}. */
    public static final Parameter STATE = new Parameter("state", "string",
            "Only jobs in this state. Repeat it or separate states by commas to match any of them.", true);
    /** The path of a file that a job has left. Its response is the file, so it is no {@link Endpoint}. */
    public static final String ARTIFACT = "/jobs/{id}/artifacts/<name>";

    /** The parameter {@code id}. */
    public static final Parameter ID = new Parameter("id", "string",
            "The full id of a job. Repeat it for up to " + Control.MOST_SHORTENED + " jobs.", true);
    /** The parameter {@code type}. */
    public static final Parameter TYPE = Parameter.text("type", "Only jobs of this type.");
    /** The parameter {@code queue}. */
    public static final Parameter QUEUE = Parameter.text("queue", "Only jobs in this queue.");
    /** The parameter {@code subject}. */
    public static final Parameter SUBJECT = Parameter.text("subject", "Only jobs with this subject.");
    /** The parameter {@code tag}. */
    public static final Parameter TAG = Parameter.text("tag", "Only jobs with this tag.");
    /** The parameter {@code parent}. */
    public static final Parameter PARENT = Parameter.text("parent", "Only children of this job.");
    /** The parameter {@code text}. */
    public static final Parameter TEXT = Parameter.text("text",
            "Only jobs with an attempt whose agent conversation contains all these words.");
    /** The parameter {@code q}. */
    public static final Parameter Q = Parameter.text("q",
            "Only jobs that match this query, such as 'state:failed error:timeout created:<2h'. See docs/reference/query-language.md.");
    /** The parameter {@code cursor}. */
    public static final Parameter CURSOR = Parameter.text("cursor", "The 'next' of the previous page.");
    /** The parameter {@code limit}. */
    public static final Parameter LIMIT = Parameter.number("limit",
            "Maximum number of items to return, from 1 to " + Control.MOST_LISTED + ". Default " + DEFAULT_LIMIT + ".");

    /** The parameter {@code window}. */
    public static final Parameter WINDOW = Parameter.text("window",
            "How far back: 1h by minutes, 24h by quarters of an hour, or 7d by two hours. Default 1h.");

    /** The parameter {@code attempt} of a diff. */
    public static final Parameter DIFF_ATTEMPT = Parameter.number("attempt",
            "The number of the attempt. Default: the last one that changed something.");
    /** The parameter {@code generations}. */
    public static final Parameter GENERATIONS = Parameter.number("generations",
            "Maximum number of generations to return, including the job itself, from 1 to " + Control.MOST_GENERATIONS
                    + ". Default " + DEFAULT_GENERATIONS + ".");
    /** The parameter {@code limit}. */
    public static final Parameter TREE_LIMIT = Parameter.number("limit",
            "Maximum number of jobs to return in total, from 1 to " + Control.MOST_LISTED + ". Default " + DEFAULT_LIMIT
                    + ".");
    /** The parameter {@code attempt}. */
    public static final Parameter ATTEMPT = Parameter.number("attempt",
            "The number of the attempt. Default: the last one.");
    /** The parameter {@code channel}. */
    public static final Parameter CHANNEL = Parameter.text("channel", "stdout or stderr. Default stdout.");
    /** The parameter {@code offset}. */
    public static final Parameter OFFSET = Parameter.number("offset", "The 'next' of the previous chunk. Default 0.");
    /** The parameter {@code timeout}. */
    public static final Parameter WAIT_TIMEOUT = Parameter.text("timeout",
            "How long to wait for the end of the job, an ISO-8601 duration of at most 60 s. Default PT60S.");
    /** The parameter {@code timeout}. */
    public static final Parameter OUTPUT_TIMEOUT = Parameter.text("timeout",
            "How long to wait for more output while the job runs, an ISO-8601 duration of at most 60 s."
                    + " Default: do not wait.");
    /** The parameter {@code timeout}. */
    public static final Parameter LOG_TIMEOUT = Parameter.text("timeout",
            "How long to wait for more lines, an ISO-8601 duration of at most 60 s. Default PT60S.");

    /** The parameter {@code attempt}. */
    public static final Parameter LOG_ATTEMPT = Parameter.number("attempt", "Only lines of this attempt.");
    /** The parameter {@code stream}. */
    public static final Parameter STREAM = new Parameter("stream", "string",
            "Only lines of this stream: LOG (what the handler logged), STDOUT, STDERR, or EVENT (what happened to the"
                    + " job). Repeat it or separate streams by commas to match any of them.",
            true);
    /** The parameter {@code level}. */
    public static final Parameter LEVEL = Parameter.text("level",
            "Only lines of this level and higher ones: TRACE, DEBUG, INFO, WARN or ERROR.");
    /** The parameter {@code text}. */
    public static final Parameter LINE_TEXT = Parameter.text("text",
            "Only lines that contain this text, in upper or lower case.");
    /** The parameter {@code limit}. */
    public static final Parameter LINES = Parameter.number("limit",
            "Maximum number of lines to return, from 1 to " + LogQuery.MOST + ". Default " + LogQuery.MOST + ".");
    /** The parameter {@code timeout}. */
    public static final Parameter LINES_TIMEOUT = Parameter.text("timeout",
            "How long to wait for lines while there are none and the job has not ended, an ISO-8601 duration of at most"
                    + " 60 s. Default: do not wait.");

    private static final Parameter[] FILTER = {STATE, TYPE, QUEUE, SUBJECT, TAG, PARENT, TEXT, Q, CURSOR, LIMIT};
    private static final String BATCH_ID = "The name of a batch, which means the newest with that name, or the id of"
            + " its job or an unambiguous prefix of it.";

    private static final String FINGERPRINT = "The fingerprint, or an unambiguous prefix of it.";

    private static final String SCHEDULE_NAME = "The name of a schedule.";

    private static final List<Endpoint<?>> ALL = new ArrayList<>();

    /** The request {@code POST /jobs}. */
    public static final Endpoint<SubmitResult> SUBMIT = add(OPERATOR,
            Endpoint.post("/jobs", "Submit a job", SubmitResult.class).body(JobDraft.class).created());
    /** The request {@code POST /jobs/bulk}. */
    public static final Endpoint<SubmitResult> SUBMIT_ALL = add(OPERATOR,
            Endpoint.post("/jobs/bulk", "Submit many jobs in one commit", SubmitResult.class).body(SubmitAllBody.class)
                    .ofManyJobs().created());
    /** The request {@code GET /jobs}. */
    public static final Endpoint<JobPage> JOBS = add(VIEWER,
            Endpoint.get("/jobs", "List jobs, newest first", JobPage.class).query(FILTER));
    /** The request {@code GET /short-ids}. */
    public static final Endpoint<Map<String, String>> SHORT_IDS = add(VIEWER,
            Endpoint.get("/short-ids", "Get a short form of each id: a beginning that no other job has",
                    new TypeReference<Map<String, String>>() {}).query(ID));

    /** The request {@code GET /query-fields}. */
    public static final Endpoint<List<QueryFieldView>> QUERY_FIELDS = add(VIEWER, Endpoint.get("/query-fields",
            "List the fields of the query language, with values that occur now", new TypeReference<>() {}));
    /** The request {@code GET /jobs/{id}}. */
    public static final Endpoint<JobDetail> JOB = add(VIEWER,
            Endpoint.get("/jobs/{id}", "Get a job with its attempts and its history", JobDetail.class));
    /** The request {@code GET /jobs/{id}/why}. */
    public static final Endpoint<JobWhy> JOB_WHY = add(VIEWER,
            Endpoint.get("/jobs/{id}/why", "Get the reasons why a job does not run", JobWhy.class));
    /** The request {@code GET /jobs/{id}/tree}. */
    public static final Endpoint<JobTree> JOB_TREE = add(VIEWER, Endpoint
            .get("/jobs/{id}/tree", "Get a job with its descendants", JobTree.class).query(GENERATIONS, TREE_LIMIT));
    /** The request {@code GET /jobs/{id}/logs}. */
    public static final Endpoint<JobLog> JOB_LOGS = add(VIEWER,
            Endpoint.get("/jobs/{id}/logs", "Get a page of the log of a job: lines and events of all attempts",
                    JobLog.class).query(LOG_ATTEMPT, STREAM, LEVEL, LINE_TEXT, CURSOR, LINES, LINES_TIMEOUT));
    /** The request {@code GET /jobs/{id}/conversation}. */
    public static final Endpoint<ConversationView> JOB_CONVERSATION = add(VIEWER,
            Endpoint.get("/jobs/{id}/conversation", "Get the conversation of an agent run", ConversationView.class)
                    .query(ATTEMPT));
    /** The request {@code GET /jobs/{id}/diff}. */
    public static final Endpoint<JobDiff> JOB_DIFF = add(VIEWER,
            Endpoint.get("/jobs/{id}/diff", "Get what an attempt changed in its worktree", JobDiff.class)
                    .query(DIFF_ATTEMPT));
    /** The request {@code GET /jobs/{id}/output}. */
    public static final Endpoint<OutputChunk> JOB_OUTPUT = add(VIEWER,
            Endpoint.get("/jobs/{id}/output", "Get a chunk of the output of a job's processes", OutputChunk.class)
                    .query(ATTEMPT, CHANNEL, OFFSET, OUTPUT_TIMEOUT));
    /** The request {@code GET /jobs/{id}/artifacts}. */
    public static final Endpoint<List<ArtifactView>> JOB_ARTIFACTS = add(VIEWER,
            Endpoint.get("/jobs/{id}/artifacts", "List the files that the attempts of a job have left",
                    new TypeReference<>() {}));
    /** The request {@code GET /jobs/{id}/wait}. */
    public static final Endpoint<JobDetail> AWAIT_JOB = add(VIEWER,
            Endpoint.get("/jobs/{id}/wait", "Wait for a job to end, then get it; after the timeout, get it as it is",
                    JobDetail.class).query(WAIT_TIMEOUT));
    /** The request {@code POST /jobs/{id}/cancel}. */
    public static final Endpoint<JobView> CANCEL_JOB = add(OPERATOR,
            Endpoint.post("/jobs/{id}/cancel", "Cancel a job that has not ended, with its descendants", JobView.class)
                    .optionalBody(ReasonBody.class));
    /** The request {@code POST /jobs/{id}/pause}. */
    public static final Endpoint<JobView> PAUSE_JOB = add(OPERATOR, Endpoint
            .post("/jobs/{id}/pause", "Pause a queued or scheduled job", JobView.class).optionalBody(ReasonBody.class));
    /** The request {@code POST /jobs/{id}/resume}. */
    public static final Endpoint<JobView> RESUME_JOB = add(OPERATOR,
            Endpoint.post("/jobs/{id}/resume", "Resume a paused job", JobView.class));
    /** The request {@code POST /jobs/{id}/run-now}. */
    public static final Endpoint<JobView> RUN_JOB_NOW = add(OPERATOR,
            Endpoint.post("/jobs/{id}/run-now", "Run a waiting job as soon as a worker is free", JobView.class));
    /** The request {@code POST /jobs/{id}/reschedule}. */
    public static final Endpoint<JobView> RESCHEDULE_JOB = add(OPERATOR,
            Endpoint.post("/jobs/{id}/reschedule", "Set when a waiting job may run", JobView.class)
                    .body(RescheduleBody.class));
    /** The request {@code POST /jobs/{id}/retry}. */
    public static final Endpoint<JobView> RETRY_JOB = add(OPERATOR,
            Endpoint.post("/jobs/{id}/retry", "Queue a dead letter again, also from a step", JobView.class)
                    .optionalBody(RetryBody.class));
    /** The request {@code POST /jobs/{id}/resubmit}. */
    public static final Endpoint<SubmitResult> RESUBMIT_JOB = add(OPERATOR,
            Endpoint.post("/jobs/{id}/resubmit", "Submit a job again as a new one, also with another payload",
                    SubmitResult.class).optionalBody(ResubmitDraft.class).created());
    /** The request {@code POST /jobs/{id}/continue}. */
    public static final Endpoint<SubmitResult> CONTINUE_JOB = add(OPERATOR,
            Endpoint.post("/jobs/{id}/continue", "Continue the work of an agent in a new job, with a comment",
                    SubmitResult.class).body(ContinueDraft.class).created());
    /** The request {@code DELETE /jobs/{id}}. */
    public static final Endpoint<JobView> DELETE_JOB = add(OPERATOR,
            Endpoint.delete("/jobs/{id}", "Delete a job that no node is running", JobView.class));

    /** The request {@code GET /job}. */
    public static final Endpoint<JobDetail> OWN_JOB = addForJobs(Endpoint.get(Endpoint.OF_JOBS,
            "Get the job that the caller is a process of; needs the token of that job", JobDetail.class));
    /** The request {@code POST /job/progress}. */
    public static final Endpoint<ProgressBody> OWN_PROGRESS = addForJobs(Endpoint.post(Endpoint.OF_JOBS + "/progress",
            "Report the progress of the job that the caller is a process of; needs the token of that job",
            ProgressBody.class).body(ProgressBody.class));
    /** The request {@code POST /job/children}. */
    public static final Endpoint<SpawnResult> SPAWN = addForJobs(Endpoint.post(Endpoint.OF_JOBS + "/children",
            "Submit a child of the job that the caller is a process of; needs the token of that job",
            SpawnResult.class).body(JobDraft.class).created());

    /** The request {@code POST /bulk}. */
    public static final Endpoint<BulkView> START_BULK = add(OPERATOR, Endpoint
            .post("/bulk", "Start a bulk operation on the jobs of a query, or count them", BulkView.class)
            .body(BulkDraft.class).created());
    /** The request {@code GET /bulk}. */
    public static final Endpoint<List<BulkView>> BULKS = add(VIEWER,
            Endpoint.get("/bulk", "List the last 100 bulk operations, newest first", new TypeReference<>() {}));
    /** The request {@code GET /bulk/{id}}. */
    public static final Endpoint<BulkView> BULK = add(VIEWER,
            Endpoint.get("/bulk/{id}", "Get a bulk operation and how far it is", BulkView.class));
    /** The request {@code POST /bulk/{id}/cancel}. */
    public static final Endpoint<BulkView> CANCEL_BULK = add(OPERATOR,
            Endpoint.post("/bulk/{id}/cancel", "Stop a bulk operation; what it has done stays", BulkView.class));

    /** The request {@code GET /views}. */
    public static final Endpoint<List<SavedView>> VIEWS = add(VIEWER,
            Endpoint.get("/views", "List saved views, by name", new TypeReference<>() {}));
    /** The request {@code POST /views}. */
    public static final Endpoint<SavedView> SAVE_VIEW = add(OPERATOR,
            Endpoint.post("/views", "Save a query under a name", SavedView.class).body(ViewDraft.class));
    /** The request {@code DELETE /views/<id>}. */
    public static final Endpoint<SavedView> REMOVE_VIEW = add(OPERATOR,
            Endpoint.delete("/views/<id>", "Remove a saved view", SavedView.class).id("The name of a view."));

    /** The request {@code GET /dead-letters}. */
    public static final Endpoint<DeadLetterPage> DEAD_LETTERS = add(VIEWER,
            Endpoint.get("/dead-letters", "List dead letters, newest first", DeadLetterPage.class).query(FILTER));
    /** The request {@code POST /dead-letters/retry}. */
    public static final Endpoint<AffectedCount> RETRY_DEAD_LETTERS = add(OPERATOR, Endpoint
            .post("/dead-letters/retry", "Queue matching dead letters again, up to the limit", AffectedCount.class)
            .body(JobFilter.class));
    /** The request {@code POST /dead-letters/purge}. */
    public static final Endpoint<AffectedCount> PURGE_DEAD_LETTERS = add(OPERATOR,
            Endpoint.post("/dead-letters/purge", "Delete matching dead letters, up to the limit", AffectedCount.class)
                    .body(JobFilter.class));
    /** The request {@code GET /dead-letters/{id}}. */
    public static final Endpoint<DeadLetterView> DEAD_LETTER = add(VIEWER,
            Endpoint.get("/dead-letters/{id}", "Get a dead letter", DeadLetterView.class));
    /** The request {@code POST /dead-letters/{id}/retry}. */
    public static final Endpoint<JobView> RETRY_DEAD_LETTER = add(OPERATOR,
            Endpoint.post("/dead-letters/{id}/retry", "Queue a dead letter again", JobView.class));

    /** The request {@code GET /queues}. */
    public static final Endpoint<List<QueueView>> QUEUES = add(VIEWER,
            Endpoint.get("/queues", "List the queues that have jobs or are paused", new TypeReference<>() {}));
    /** The request {@code POST /queues/pause}. */
    public static final Endpoint<QueueView> PAUSE_QUEUE = add(OPERATOR, Endpoint
            .post("/queues/pause", "Pause a queue: none of its jobs start", QueueView.class).body(QueueBody.class));
    /** The request {@code POST /queues/resume}. */
    public static final Endpoint<QueueView> RESUME_QUEUE = add(OPERATOR, Endpoint
            .post("/queues/resume", "Resume a queue: its jobs start again", QueueView.class).body(QueueBody.class));

    /** The request {@code GET /nodes}. */
    public static final Endpoint<List<NodeView>> NODES = add(VIEWER,
            Endpoint.get("/nodes", "List the nodes that share the store", new TypeReference<>() {}));
    // Must come before NODE, whose id would match "differences" too.
    /** The request {@code GET /nodes/differences}. */
    public static final Endpoint<List<NodeDifference>> NODE_DIFFERENCES = add(VIEWER, Endpoint.get("/nodes/differences",
            "List the versions and settings in which living nodes differ", new TypeReference<>() {}));
    /** The request {@code GET /nodes/<id>}. */
    public static final Endpoint<NodeDetail> NODE = add(VIEWER,
            Endpoint.get("/nodes/<id>", "Get a node with its configuration", NodeDetail.class));
    /** The request {@code GET /workers}. */
    public static final Endpoint<List<WorkerView>> WORKERS = add(VIEWER,
            Endpoint.get("/workers", "List the workers of all nodes", new TypeReference<>() {}));
    /** The request {@code POST /workers}. */
    public static final Endpoint<WorkerView> START_WORKER = add(ADMIN,
            Endpoint.post("/workers", "Add a worker to this node", WorkerView.class));
    /** The request {@code POST /workers/<id>/stop}. */
    public static final Endpoint<WorkerView> STOP_WORKER = add(ADMIN,
            Endpoint.post("/workers/<id>/stop", "Remove a worker and requeue the job it runs", WorkerView.class));
    /** The request {@code POST /workers/<id>/drain}. */
    public static final Endpoint<WorkerView> DRAIN_WORKER = add(ADMIN, Endpoint.post("/workers/<id>/drain",
            "Remove a worker once it has finished the job it runs", WorkerView.class));
    // Must come before WORKER, whose id would match "<id>/log" too.
    /** The request {@code GET /workers/<id>/log}. */
    public static final Endpoint<LogChunk> WORKER_LOG = add(VIEWER, Endpoint
            .get("/workers/<id>/log", "Get a chunk of a worker's log", LogChunk.class).query(OFFSET, LOG_TIMEOUT));
    /** The request {@code GET /workers/<id>}. */
    public static final Endpoint<WorkerDetail> WORKER = add(VIEWER,
            Endpoint.get("/workers/<id>", "Get a worker with its history", WorkerDetail.class));

    /** The request {@code GET /batches}. */
    public static final Endpoint<List<BatchView>> BATCHES = add(VIEWER,
            Endpoint.get("/batches", "List batches, newest first", new TypeReference<>() {}));
    /** The request {@code GET /batches/{id}}. */
    public static final Endpoint<BatchView> BATCH = add(VIEWER,
            Endpoint.get("/batches/{id}", "Get a batch and its progress", BatchView.class).id(BATCH_ID));
    /** The request {@code GET /batches/{id}/units}. */
    public static final Endpoint<UnitPage> BATCH_UNITS = add(VIEWER,
            Endpoint.get("/batches/{id}/units", "List the units of a batch with their results", UnitPage.class)
                    .id(BATCH_ID).query(CURSOR, LIMIT));
    /** The request {@code POST /batches/{id}/approve}. */
    public static final Endpoint<BatchView> APPROVE_BATCH = add(OPERATOR, Endpoint
            .post("/batches/{id}/approve", "Approve a batch after its trial units: run the rest", BatchView.class)
            .id(BATCH_ID));
    /** The request {@code POST /batches/{id}/retry}. */
    public static final Endpoint<AffectedCount> RETRY_BATCH = add(OPERATOR, Endpoint
            .post("/batches/{id}/retry", "Queue the failed units of a batch again", AffectedCount.class).id(BATCH_ID));

    /** The request {@code GET /budgets}. */
    public static final Endpoint<List<BudgetView>> BUDGETS = add(VIEWER,
            Endpoint.get("/budgets", "List budgets and their status", new TypeReference<>() {}));
    /** The request {@code POST /budgets}. */
    public static final Endpoint<BudgetView> SET_BUDGET = add(ADMIN,
            Endpoint.post("/budgets", "Set a budget", BudgetView.class).body(BudgetDraft.class));

    /** The request {@code POST /budgets/remove}. */
    public static final Endpoint<AffectedCount> REMOVE_BUDGET = add(ADMIN,
            Endpoint.post("/budgets/remove", "Remove a budget", AffectedCount.class).body(BudgetNameBody.class));

    /** The request {@code GET /limits}. */
    public static final Endpoint<List<LimitView>> LIMITS = add(VIEWER,
            Endpoint.get("/limits", "List limits and how much of each key is in use", new TypeReference<>() {}));
    /** The request {@code POST /limits}. */
    public static final Endpoint<LimitView> SET_LIMIT = add(ADMIN,
            Endpoint.post("/limits", "Set a limit", LimitView.class).body(LimitDraft.class));
    /** The request {@code POST /limits/remove}. */
    public static final Endpoint<AffectedCount> REMOVE_LIMIT = add(ADMIN,
            Endpoint.post("/limits/remove", "Remove a limit", AffectedCount.class).body(LimitNameBody.class));

    /** The request {@code GET /schedules}. */
    public static final Endpoint<SchedulePage> SCHEDULES = add(VIEWER,
            Endpoint.get("/schedules", "List schedules by name", SchedulePage.class).query(CURSOR, LIMIT));
    /** The request {@code POST /schedules}. */
    public static final Endpoint<ScheduleView> SET_SCHEDULE = add(ADMIN,
            Endpoint.post("/schedules", "Create or change a schedule", ScheduleView.class).body(ScheduleDraft.class));
    // Must come before SCHEDULE, whose id would match "<id>/next" too.
    /** The request {@code GET /schedules/<id>/next}. */
    public static final Endpoint<List<Instant>> SCHEDULE_TIMES = add(VIEWER,
            Endpoint.get("/schedules/<id>/next", "List the next times of a schedule",
                    new TypeReference<List<Instant>>() {})
                    .id(SCHEDULE_NAME).query(LIMIT));
    /** The request {@code POST /schedules/<id>/pause}. */
    public static final Endpoint<ScheduleView> PAUSE_SCHEDULE = add(OPERATOR,
            Endpoint.post("/schedules/<id>/pause", "Stop a schedule until it is resumed", ScheduleView.class)
                    .id(SCHEDULE_NAME));
    /** The request {@code POST /schedules/<id>/resume}. */
    public static final Endpoint<ScheduleView> RESUME_SCHEDULE = add(OPERATOR,
            Endpoint.post("/schedules/<id>/resume", "Let a paused schedule fire again", ScheduleView.class)
                    .id(SCHEDULE_NAME));
    /** The request {@code POST /schedules/<id>/reset}. */
    public static final Endpoint<ScheduleView> RESET_SCHEDULE = add(ADMIN,
            Endpoint.post("/schedules/<id>/reset", "Drop the edit of a person: what code defines takes effect again",
                    ScheduleView.class).id(SCHEDULE_NAME));
    /** The request {@code POST /schedules/<id>/trigger}. */
    public static final Endpoint<JobView> TRIGGER_SCHEDULE = add(OPERATOR,
            Endpoint.post("/schedules/<id>/trigger", "Submit a job of a schedule now", JobView.class).id(SCHEDULE_NAME)
                    .created());
    /** The request {@code POST /schedules/<id>/backfill}. */
    public static final Endpoint<BackfillResult> BACKFILL_SCHEDULE = add(OPERATOR,
            Endpoint.post("/schedules/<id>/backfill", "Make the past runs of a schedule that have not been made",
                    BackfillResult.class).id(SCHEDULE_NAME).body(BackfillDraft.class));
    /** The request {@code GET /schedules/<id>}. */
    public static final Endpoint<ScheduleDetail> SCHEDULE = add(VIEWER,
            Endpoint.get("/schedules/<id>", "Get a schedule with its next times and its last runs",
                    ScheduleDetail.class).id(SCHEDULE_NAME));
    /** The request {@code DELETE /schedules/<id>}. */
    public static final Endpoint<ScheduleView> DELETE_SCHEDULE = add(ADMIN,
            Endpoint.delete("/schedules/<id>", "Delete a schedule; its jobs are not affected", ScheduleView.class)
                    .id(SCHEDULE_NAME));

    /** The request {@code GET /sessions}. */
    public static final Endpoint<List<SessionView>> SESSIONS = add(VIEWER, Endpoint.get("/sessions",
            "List client sessions, most recently started first, at most 1000", new TypeReference<>() {}));
    /** The request {@code POST /sessions/drop}. */
    public static final Endpoint<AffectedCount> DROP_SESSION = add(OPERATOR,
            Endpoint.post("/sessions/drop", "End a client session", AffectedCount.class).body(SessionBody.class));

    /** The request {@code GET /stats}. */
    public static final Endpoint<Stats> STATS = add(VIEWER,
            Endpoint.get("/stats", "Get job counts and the statistics of this node", Stats.class));
    /** The request {@code GET /stats/series}. */
    public static final Endpoint<StatsSeries> STATS_SERIES = add(VIEWER,
            Endpoint.get("/stats/series", "Get what happened to jobs over time", StatsSeries.class).query(TYPE, QUEUE,
                    WINDOW));

    /** The request {@code GET /errors}. */
    public static final Endpoint<List<ErrorView>> ERRORS = add(VIEWER,
            Endpoint.get("/errors", "List failures by fingerprint, the ones seen last first",
                    new TypeReference<List<ErrorView>>() {}).query(TYPE, LIMIT));
    /** The request {@code GET /errors/{id}}. */
    public static final Endpoint<ErrorDetail> ERROR = add(VIEWER,
            Endpoint.get("/errors/{id}", "Get failures with a fingerprint and their dead letters", ErrorDetail.class)
                    .id(FINGERPRINT).query(CURSOR, LIMIT));
    /** The request {@code POST /errors/{id}}. */
    public static final Endpoint<ErrorView> DESCRIBE_ERROR = add(OPERATOR,
            Endpoint.post("/errors/{id}", "Set the note and the assignee of failures with a fingerprint",
                    ErrorView.class).id(FINGERPRINT).body(ErrorNote.class));
    /** The request {@code POST /errors/{id}/retry}. */
    public static final Endpoint<AffectedCount> RETRY_ERRORS = add(OPERATOR,
            Endpoint.post("/errors/{id}/retry", "Queue all dead letters with a fingerprint again", AffectedCount.class)
                    .id(FINGERPRINT));
    /** The request {@code POST /errors/{id}/purge}. */
    public static final Endpoint<AffectedCount> PURGE_ERRORS = add(OPERATOR,
            Endpoint.post("/errors/{id}/purge", "Delete all dead letters with a fingerprint", AffectedCount.class)
                    .id(FINGERPRINT));

    /** The request {@code POST /drain}. */
    public static final Endpoint<DrainResult> DRAIN = add(ADMIN, Endpoint
            .post("/drain", "Drain the node: finish running jobs, start no others, then exit", DrainResult.class)
            .optionalBody(DrainBody.class));

    /** The request {@code GET /caller}. */
    public static final Endpoint<CallerView> CALLER = add(VIEWER,
            Endpoint.get("/caller", "Get who the caller is, and what they may do", CallerView.class));
    /** The request {@code GET /tokens}. */
    public static final Endpoint<List<TokenView>> TOKENS = add(ADMIN,
            Endpoint.get("/tokens", "List tokens by name, without their secrets", new TypeReference<>() {}));
    /** The request {@code POST /tokens}. */
    public static final Endpoint<NewTokenView> CREATE_TOKEN = add(ADMIN,
            Endpoint.post("/tokens", "Create a token; only this response has its secret", NewTokenView.class)
                    .body(TokenDraft.class).created());
    /** The request {@code POST /tokens/revoke}. */
    public static final Endpoint<TokenView> REVOKE_TOKEN = add(ADMIN,
            Endpoint.post("/tokens/revoke", "Revoke a token: it is refused from now on", TokenView.class)
                    .body(TokenNameBody.class));

    /** The parameter {@code actor}. */
    public static final Parameter ACTOR = Parameter.text("actor",
            "Only operations of this actor: 'ci' for any with this name, 'token:ci' for the token only.");
    /** The parameter {@code operation}. */
    public static final Parameter OPERATION = Parameter.text("operation",
            "Only this operation, such as 'cancelJob'.");
    /** The parameter {@code target}. */
    public static final Parameter TARGET = Parameter.text("target",
            "Only operations on this: the full id of a job, or the name of a queue, schedule, token and so on.");
    /** The parameter {@code outcome}. */
    public static final Parameter OUTCOME = Parameter.text("outcome", "Only these: done, refused or failed.");
    /** The parameter {@code from}. */
    public static final Parameter FROM = Parameter.text("from", "Only operations at this time or later.");
    /** The parameter {@code until}. */
    public static final Parameter UNTIL = Parameter.text("until", "Only operations before this time.");
    /** The request {@code GET /audit}. */
    public static final Endpoint<AuditPage> AUDIT = add(ADMIN,
            Endpoint.get("/audit", "List who did what, newest first", AuditPage.class).query(ACTOR, OPERATION, TARGET,
                    OUTCOME, FROM, UNTIL, CURSOR, LIMIT));

    private Endpoints() {}

    /**
     * Lists an endpoint for callers with at least this role: {@code VIEWER} if it only reads, {@code OPERATOR} if it
     * acts on jobs, {@code ADMIN} if it changes what others may do or how much, or the node itself.
     */
    private static <T> Endpoint<T> add(Role least, Endpoint<T> endpoint) {
        Endpoint<T> listed = endpoint.needs(least);
        ALL.add(listed);
        return listed;
    }

    private static <T> Endpoint<T> addForJobs(Endpoint<T> endpoint) {
        ALL.add(endpoint);
        return endpoint;
    }

    /** The operations by endpoint. Only a server needs them. */
    private static final class Operations {
        private static final Map<Endpoint<?>, String> NAMES = new HashMap<>();

        static {
            for (Field field : Endpoints.class.getFields()) {
                if (field.getType() == Endpoint.class) {
                    try {
                        NAMES.put((Endpoint<?>) field.get(null), camelCase(field.getName()));
                    } catch (IllegalAccessException e) {
                        throw new IllegalStateException("public fields can be read", e);
                    }
                }
            }
            // Two ways to the same operation.
            NAMES.put(SUBMIT_ALL, "submit");
            NAMES.put(RETRY_DEAD_LETTER, "retryJob");
        }

        private static String camelCase(String constant) {
            StringBuilder name = new StringBuilder();
            for (String word : constant.split("_", -1)) {
                name.append(name.isEmpty() ? "" : word.substring(0, 1))
                        .append(word.substring(name.isEmpty() ? 0 : 1).toLowerCase(Locale.ROOT));
            }
            return name.toString();
        }
    }

    /** Returns the name of an endpoint in the audit log, which is that of its constant, such as {@code cancelJob}. */
    public static String operation(Endpoint<?> endpoint) {
        return Objects.requireNonNull(Operations.NAMES.get(endpoint), endpoint.path());
    }

    /** Returns every endpoint, in the order in which a server must match them. */
    public static List<Endpoint<?>> all() {
        return List.copyOf(ALL);
    }
}
