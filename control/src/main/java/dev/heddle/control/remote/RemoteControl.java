package dev.heddle.control.remote;

import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.http.BudgetNameBody;
import dev.heddle.control.http.DrainBody;
import dev.heddle.control.http.Endpoints;
import dev.heddle.control.http.LimitNameBody;
import dev.heddle.control.http.QueueBody;
import dev.heddle.control.http.ReasonBody;
import dev.heddle.control.http.RescheduleBody;
import dev.heddle.control.http.RetryBody;
import dev.heddle.control.http.SessionBody;
import dev.heddle.control.http.SubmitAllBody;
import dev.heddle.control.http.TokenNameBody;
import dev.heddle.control.local.LocalControl;
import dev.heddle.control.model.AffectedCount;
import dev.heddle.control.model.ArtifactView;
import dev.heddle.control.model.AuditFilter;
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
import dev.heddle.control.model.JobLogQuery;
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
import dev.heddle.control.model.OutputQuery;
import dev.heddle.control.model.QueryFieldView;
import dev.heddle.control.model.QueueView;
import dev.heddle.control.model.ResubmitDraft;
import dev.heddle.control.model.SavedView;
import dev.heddle.control.model.ScheduleDetail;
import dev.heddle.control.model.ScheduleDraft;
import dev.heddle.control.model.SchedulePage;
import dev.heddle.control.model.ScheduleView;
import dev.heddle.control.model.SessionView;
import dev.heddle.control.model.Stats;
import dev.heddle.control.model.StatsSeries;
import dev.heddle.control.model.SubmitResult;
import dev.heddle.control.model.TokenDraft;
import dev.heddle.control.model.TokenView;
import dev.heddle.control.model.UnitPage;
import dev.heddle.control.model.ViewDraft;
import dev.heddle.control.model.WorkerDetail;
import dev.heddle.control.model.WorkerView;
import dev.heddle.control.remote.NodeConnection.Waiting;
import dev.heddle.job.JobId;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;

import static dev.heddle.control.remote.EndpointRequest.to;
import static java.util.Objects.requireNonNull;

/** Asks a node over HTTP, and gives the same answers as a {@link LocalControl} in the process of that node. */
public final class RemoteControl implements Control {

    /**
     * The longest wait of a single request. Longer waits take several requests, and an interrupt ends them in between.
     */
    private static final Duration LONG_POLL = Duration.ofSeconds(5);

    private final NodeConnection node;

    private RemoteControl(NodeConnection node) {
        this.node = node;
    }

    /**
     * Returns a control that asks the node at this address. It connects when it is first used.
     *
     * @param base such as {@code http://127.0.0.1:7420}
     * @param token the token of the node
     */
    public static RemoteControl at(URI base, String token) {
        return new RemoteControl(
                new NodeConnection(requireNonNull(base, "base"), requireNonNull(token, "token"), null, null, false,
                        Waiting.NONE));
    }

    /**
     * Returns a control for a node with TLS that trusts this certificate and no other, whatever names it has.
     *
     * @param certificate the PEM file that the node serves
     * @throws ControlException if the file cannot be read
     */
    public static RemoteControl at(URI base, String token, Path certificate) {
        return new RemoteControl(new NodeConnection(requireNonNull(base, "base"), requireNonNull(token, "token"), null,
                PinnedCertificate.read(certificate).socketFactory(), false, Waiting.NONE));
    }

    /**
     * Returns the same control that repeats a request for a while if the node answers that it is not available, because
     * it starts, closes, or cannot reach its store.
     *
     * @param atMost how long it repeats a request
     * @param onWait called when it begins to wait
     */
    public RemoteControl waiting(Duration atMost, Runnable onWait) {
        return new RemoteControl(node.waiting(new NodeConnection.Waiting(atMost, onWait)));
    }

    /**
     * Follows the events of all nodes.
     *
     * @param filters the wanted values of properties such as {@code kind}, {@code type} or {@code queue}; none for all
     * @param position where to resume; null to begin now
     */
    public EventStream events(Map<String, List<String>> filters, @Nullable String position) {
        return node.events(filters, position);
    }

    /** Returns the same control, which asks for values that the node otherwise masks. */
    public RemoteControl revealing() {
        return new RemoteControl(new NodeConnection(node.base(), node.token(), node.user(), node.tls(), true,
                node.waiting()));
    }

    /**
     * Returns the same control for a user of the operating system. The node notes the name if the control has the
     * node's own token, and ignores it otherwise. A name that a header cannot carry is left out.
     */
    public RemoteControl as(String user) {
        return user.matches("[\\x21-\\x7e]{1,100}")
                ? new RemoteControl(new NodeConnection(node.base(), node.token(), user, node.tls(), node.reveal(),
                        node.waiting()))
                : this;
    }

    /** Chooses the ids of the jobs here, which makes it safe to repeat a submission whose response was lost. */
    @Override
    public SubmitResult submit(List<JobDraft> drafts) {
        List<JobDraft> withIds = new ArrayList<>(drafts.size());
        for (JobDraft draft : drafts) {
            withIds.add(draft == null || draft.id() != null ? draft : draft.id(JobId.next().toString()));
        }
        return withIds.size() == 1 && withIds.getFirst() != null
                ? node.send(to(Endpoints.SUBMIT).body(withIds.getFirst()))
                : node.send(to(Endpoints.SUBMIT_ALL).body(new SubmitAllBody(withIds)));
    }

    @Override
    public JobPage jobs(JobFilter filter) {
        return node.send(to(Endpoints.JOBS).with(filter));
    }

    @Override
    public Map<String, String> shortIds(List<String> ids) {
        EndpointRequest<Map<String, String>> request = to(Endpoints.SHORT_IDS);
        ids.forEach(id -> request.with(Endpoints.ID, id));
        return node.send(request);
    }

    @Override
    public List<QueryFieldView> queryFields() {
        return node.send(to(Endpoints.QUERY_FIELDS));
    }

    @Override
    public BulkView previewBulk(BulkDraft draft) {
        return startBulk(draft.dryRun(true));
    }

    @Override
    public BulkView startBulk(BulkDraft draft) {
        return node.send(to(Endpoints.START_BULK).body(draft));
    }

    @Override
    public List<BulkView> bulks() {
        return node.send(to(Endpoints.BULKS));
    }

    @Override
    public BulkView bulk(String id) {
        return node.send(to(Endpoints.BULK, id));
    }

    @Override
    public BulkView cancelBulk(String id) {
        return node.send(to(Endpoints.CANCEL_BULK, id));
    }

    @Override
    public List<SavedView> views() {
        return node.send(to(Endpoints.VIEWS));
    }

    @Override
    public SavedView saveView(ViewDraft view) {
        return node.send(to(Endpoints.SAVE_VIEW).body(view));
    }

    @Override
    public SavedView removeView(String name) {
        return node.send(to(Endpoints.REMOVE_VIEW, name));
    }

    @Override
    public JobDetail job(String id) {
        return node.send(to(Endpoints.JOB, id));
    }

    @Override
    public JobWhy why(String id) {
        return node.send(to(Endpoints.JOB_WHY, id));
    }

    @Override
    public JobTree tree(String id, int generations, int limit) {
        return node.send(
                to(Endpoints.JOB_TREE, id).with(Endpoints.GENERATIONS, generations).with(Endpoints.TREE_LIMIT, limit));
    }

    @Override
    public JobLog logs(String id, JobLogQuery query) {
        return node.send(to(Endpoints.JOB_LOGS, id).with(query));
    }

    @Override
    public ConversationView conversation(String id, @Nullable Integer attempt) {
        return node.send(to(Endpoints.JOB_CONVERSATION, id).with(Endpoints.ATTEMPT, attempt));
    }

    @Override
    public JobDiff diff(String id, @Nullable Integer attempt) {
        return node.send(to(Endpoints.JOB_DIFF, id).with(Endpoints.DIFF_ATTEMPT, attempt));
    }

    @Override
    public OutputChunk output(String id, OutputQuery query) {
        return node.send(to(Endpoints.JOB_OUTPUT, id).with(Endpoints.ATTEMPT, query.attempt())
                .with(Endpoints.CHANNEL, query.channel()).with(Endpoints.OFFSET, query.offset())
                .with(Endpoints.OUTPUT_TIMEOUT, query.timeout()));
    }

    @Override
    public List<ArtifactView> artifacts(String id) {
        return node.send(to(Endpoints.JOB_ARTIFACTS, id));
    }

    @Override
    public InputStream artifact(String id, String name, @Nullable Integer attempt) {
        return node.open(EndpointRequest.artifact(id, name, attempt));
    }

    @Override
    public JobDetail await(String id, Duration atMost) {
        requireNotNegative(atMost);
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            Duration poll = left.compareTo(LONG_POLL) < 0 ? left : LONG_POLL;
            JobDetail job = node.send(to(Endpoints.AWAIT_JOB, id).with(Endpoints.WAIT_TIMEOUT, poll));
            if (job.job().state().isFinal() || System.nanoTime() - deadline >= 0) {
                return job;
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new ControlException(Kind.UNREACHABLE,
                        "interrupted while waiting for the node at " + node.base());
            }
        }
    }

    private static void requireNotNegative(Duration timeout) {
        try {
            Limits.notNegative("timeout", timeout);
        } catch (IllegalArgumentException e) {
            throw ControlException.invalid(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public JobView cancel(String id, String reason) {
        return node.send(to(Endpoints.CANCEL_JOB, id).body(new ReasonBody(reason)));
    }

    @Override
    public JobView pause(String id, String reason) {
        return node.send(to(Endpoints.PAUSE_JOB, id).body(new ReasonBody(reason)));
    }

    @Override
    public JobView resume(String id) {
        return node.send(to(Endpoints.RESUME_JOB, id));
    }

    @Override
    public JobView runNow(String id) {
        return node.send(to(Endpoints.RUN_JOB_NOW, id));
    }

    @Override
    public JobView reschedule(String id, @Nullable Duration delay, @Nullable Instant runAt) {
        return node.send(to(Endpoints.RESCHEDULE_JOB, id).body(new RescheduleBody(delay, runAt)));
    }

    @Override
    public JobView retry(String id, @Nullable String fromStep, boolean forgetCheckpoint) {
        return node.send(to(Endpoints.RETRY_JOB, id).body(new RetryBody(fromStep, forgetCheckpoint)));
    }

    @Override
    public SubmitResult resubmit(String id, ResubmitDraft draft) {
        return node.send(to(Endpoints.RESUBMIT_JOB, id).body(draft.id() != null ? draft
                : new ResubmitDraft(draft.payload(), JobId.next().toString())));
    }

    @Override
    public SubmitResult continueAgent(String id, ContinueDraft draft) {
        return node.send(to(Endpoints.CONTINUE_JOB, id).body(draft.id() != null ? draft
                : new ContinueDraft(draft.comment(), JobId.next().toString())));
    }

    @Override
    public JobView delete(String id) {
        return node.send(to(Endpoints.DELETE_JOB, id));
    }

    @Override
    public List<QueueView> queues() {
        return node.send(to(Endpoints.QUEUES));
    }

    @Override
    public QueueView pauseQueue(String queue) {
        return node.send(to(Endpoints.PAUSE_QUEUE).body(new QueueBody(queue)));
    }

    @Override
    public QueueView resumeQueue(String queue) {
        return node.send(to(Endpoints.RESUME_QUEUE).body(new QueueBody(queue)));
    }

    @Override
    public List<SessionView> sessions() {
        return node.send(to(Endpoints.SESSIONS));
    }

    @Override
    public AffectedCount dropSession(String session) {
        return node.send(to(Endpoints.DROP_SESSION).body(new SessionBody(session)));
    }

    @Override
    public List<NodeView> nodes() {
        return node.send(to(Endpoints.NODES));
    }

    @Override
    public NodeDetail node(String id) {
        return node.send(to(Endpoints.NODE, id));
    }

    @Override
    public List<NodeDifference> nodeDifferences() {
        return node.send(to(Endpoints.NODE_DIFFERENCES));
    }

    @Override
    public List<WorkerView> workers() {
        return node.send(to(Endpoints.WORKERS));
    }

    @Override
    public WorkerDetail worker(String id) {
        return node.send(to(Endpoints.WORKER, id));
    }

    @Override
    public WorkerView startWorker() {
        return node.send(to(Endpoints.START_WORKER));
    }

    @Override
    public WorkerView stopWorker(String id) {
        return node.send(to(Endpoints.STOP_WORKER, id));
    }

    @Override
    public WorkerView drainWorker(String id) {
        return node.send(to(Endpoints.DRAIN_WORKER, id));
    }

    @Override
    public LogChunk workerLog(String id, long offset, Duration timeout) {
        return node
                .send(to(Endpoints.WORKER_LOG, id).with(Endpoints.OFFSET, offset).with(Endpoints.LOG_TIMEOUT, timeout));
    }

    @Override
    public DeadLetterPage deadLetters(JobFilter filter) {
        return node.send(to(Endpoints.DEAD_LETTERS).with(filter));
    }

    @Override
    public DeadLetterView deadLetter(String id) {
        return node.send(to(Endpoints.DEAD_LETTER, id));
    }

    @Override
    public AffectedCount retryDead(JobFilter filter) {
        return node.send(to(Endpoints.RETRY_DEAD_LETTERS).body(filter));
    }

    @Override
    public AffectedCount purgeDead(JobFilter filter) {
        return node.send(to(Endpoints.PURGE_DEAD_LETTERS).body(filter));
    }

    @Override
    public List<BatchView> batches() {
        return node.send(to(Endpoints.BATCHES));
    }

    @Override
    public BatchView batch(String id) {
        return node.send(to(Endpoints.BATCH, id));
    }

    @Override
    public UnitPage units(String id, @Nullable String cursor, int limit) {
        return node.send(to(Endpoints.BATCH_UNITS, id).with(Endpoints.CURSOR, cursor).with(Endpoints.LIMIT, limit));
    }

    @Override
    public BatchView approveBatch(String id) {
        return node.send(to(Endpoints.APPROVE_BATCH, id));
    }

    @Override
    public AffectedCount retryBatch(String id) {
        return node.send(to(Endpoints.RETRY_BATCH, id));
    }

    @Override
    public List<BudgetView> budgets() {
        return node.send(to(Endpoints.BUDGETS));
    }

    @Override
    public BudgetView setBudget(BudgetDraft budget) {
        return node.send(to(Endpoints.SET_BUDGET).body(budget));
    }

    @Override
    public AffectedCount removeBudget(@Nullable String scope, String measure) {
        return node.send(to(Endpoints.REMOVE_BUDGET).body(new BudgetNameBody(scope, measure)));
    }

    @Override
    public List<LimitView> limits() {
        return node.send(to(Endpoints.LIMITS));
    }

    @Override
    public LimitView setLimit(LimitDraft limit) {
        return node.send(to(Endpoints.SET_LIMIT).body(limit));
    }

    @Override
    public AffectedCount removeLimit(String name) {
        return node.send(to(Endpoints.REMOVE_LIMIT).body(new LimitNameBody(name)));
    }

    @Override
    public SchedulePage schedules(@Nullable String cursor, int limit) {
        return node.send(to(Endpoints.SCHEDULES).with(Endpoints.CURSOR, cursor).with(Endpoints.LIMIT, limit));
    }

    @Override
    public ScheduleDetail schedule(String name) {
        return node.send(to(Endpoints.SCHEDULE, name));
    }

    @Override
    public List<Instant> scheduleTimes(String name, int count) {
        return node.send(to(Endpoints.SCHEDULE_TIMES, name).with(Endpoints.LIMIT, count));
    }

    @Override
    public ScheduleView setSchedule(ScheduleDraft schedule) {
        return node.send(to(Endpoints.SET_SCHEDULE).body(schedule));
    }

    @Override
    public ScheduleView pauseSchedule(String name) {
        return node.send(to(Endpoints.PAUSE_SCHEDULE, name));
    }

    @Override
    public ScheduleView resumeSchedule(String name) {
        return node.send(to(Endpoints.RESUME_SCHEDULE, name));
    }

    @Override
    public ScheduleView resetSchedule(String name) {
        return node.send(to(Endpoints.RESET_SCHEDULE, name));
    }

    @Override
    public ScheduleView deleteSchedule(String name) {
        return node.send(to(Endpoints.DELETE_SCHEDULE, name));
    }

    @Override
    public JobView triggerSchedule(String name) {
        return node.send(to(Endpoints.TRIGGER_SCHEDULE, name));
    }

    @Override
    public BackfillResult backfillSchedule(String name, BackfillDraft times) {
        return node.send(to(Endpoints.BACKFILL_SCHEDULE, name).body(times));
    }

    @Override
    public Stats stats() {
        return node.send(to(Endpoints.STATS));
    }

    @Override
    public StatsSeries statsSeries(@Nullable String type, @Nullable String queue, @Nullable String window) {
        return node.send(to(Endpoints.STATS_SERIES).with(Endpoints.TYPE, type).with(Endpoints.QUEUE, queue)
                .with(Endpoints.WINDOW, window));
    }

    @Override
    public List<ErrorView> errors(@Nullable String type, int limit) {
        return node.send(to(Endpoints.ERRORS).with(Endpoints.TYPE, type).with(Endpoints.LIMIT, limit));
    }

    @Override
    public ErrorDetail error(String fingerprint, @Nullable String cursor, int limit) {
        return node.send(
                to(Endpoints.ERROR, fingerprint).with(Endpoints.CURSOR, cursor).with(Endpoints.LIMIT, limit));
    }

    @Override
    public ErrorView describeError(String fingerprint, ErrorNote note) {
        return node.send(to(Endpoints.DESCRIBE_ERROR, fingerprint).body(note));
    }

    @Override
    public AffectedCount retryErrors(String fingerprint) {
        return node.send(to(Endpoints.RETRY_ERRORS, fingerprint));
    }

    @Override
    public AffectedCount purgeErrors(String fingerprint) {
        return node.send(to(Endpoints.PURGE_ERRORS, fingerprint));
    }

    @Override
    public DrainResult drain(@Nullable Duration atMost) {
        return node.send(to(Endpoints.DRAIN).body(new DrainBody(atMost)));
    }

    @Override
    public CallerView caller() {
        return node.send(to(Endpoints.CALLER));
    }

    @Override
    public List<TokenView> tokens() {
        return node.send(to(Endpoints.TOKENS));
    }

    @Override
    public NewTokenView createToken(TokenDraft token) {
        return node.send(to(Endpoints.CREATE_TOKEN).body(token));
    }

    @Override
    public TokenView revokeToken(String name) {
        return node.send(to(Endpoints.REVOKE_TOKEN).body(new TokenNameBody(name)));
    }

    @Override
    public AuditPage audit(AuditFilter filter) {
        return node.send(to(Endpoints.AUDIT).with(Endpoints.ACTOR, filter.actor())
                .with(Endpoints.OPERATION, filter.operation()).with(Endpoints.TARGET, filter.target())
                .with(Endpoints.OUTCOME, filter.outcome()).with(Endpoints.FROM, filter.from())
                .with(Endpoints.UNTIL, filter.until()).with(Endpoints.CURSOR, filter.cursor())
                .with(Endpoints.LIMIT, filter.limit()));
    }

    /** Does nothing: the JVM keeps connections for a few seconds and then closes them itself. */
    @Override
    public void close() {}
}
