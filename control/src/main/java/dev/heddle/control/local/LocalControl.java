package dev.heddle.control.local;

import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

import dev.heddle.access.AuditStore;
import dev.heddle.access.Caller;
import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
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
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Limits;
import dev.heddle.pool.Pool;
import dev.heddle.pool.Submitter;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import dev.heddle.store.JobCounts;
import dev.heddle.store.JobQuery;
import dev.heddle.store.SessionStore;
import dev.heddle.store.Store;
import org.jspecify.annotations.Nullable;

import static dev.heddle.control.local.ExceptionTranslator.translating;
import static java.util.Objects.requireNonNull;

/** Answers from a pool in this process, or from a store if no node runs here. */
public final class LocalControl implements Control {

    /** As precise as the times in a store. */
    private static final InstantSource CLOCK = Clock.tickMillis(ZoneOffset.UTC);
    private static final Caller DEFAULT_CALLER = Caller.library("local");
    private static final int MAX_SESSIONS = 1_000;

    private final Backend backend;
    private final Caller caller;
    /** The caller in the history of jobs. */
    private final String actor;
    private final NodeFiles files;
    private final SubmissionGate gate;
    private final @Nullable Consumer<Duration> onDrain;

    private LocalControl(Backend backend, Caller caller, NodeFiles files, SubmissionGate gate,
            @Nullable Consumer<Duration> onDrain) {
        this.backend = backend;
        this.caller = caller;
        this.actor = caller.actor().toString();
        this.files = files;
        this.gate = gate.forRole(caller.role());
        this.onDrain = onDrain;
    }

    /** Returns a control of this pool, which stays open if the control is closed. */
    public static LocalControl on(Pool pool) {
        return new LocalControl(new PoolBackend(requireNonNull(pool, "pool"), CLOCK), DEFAULT_CALLER, NodeFiles.NONE,
                SubmissionGate.local(), null);
    }

    /**
     * Returns a control of this store, which it closes with itself. Jobs are submitted under the default settings of a
     * pool.
     */
    public static LocalControl on(Store store) {
        return on(store, Pool.on(requireNonNull(store, "store")).submitter());
    }

    /** Returns a control of this store, which it closes with itself. Jobs are submitted by the submitter. */
    public static LocalControl on(Store store, Submitter submitter) {
        return new LocalControl(
                new StoreBackend(requireNonNull(store, "store"), requireNonNull(submitter, "submitter"), CLOCK),
                DEFAULT_CALLER, NodeFiles.NONE, SubmissionGate.local(), null);
    }

    /**
     * Returns the same control for another caller, whom the history of jobs shows as the actor. The caller is one that
     * the application has identified; no control checks whether the role allows what it is asked for, except that only
     * an {@code ADMIN} may submit command lines.
     */
    public LocalControl as(Caller other) {
        return new LocalControl(backend, requireNonNull(other, "other"), files, gate, onDrain);
    }

    /** Returns the same control for Java code under this name, which the history of jobs shows as the actor. */
    public LocalControl as(String name) {
        return as(Caller.library(requireNonNull(name, "name")));
    }

    /**
     * Returns the same control with {@link #drain} allowed. The callback gets the longest time that the drain may take,
     * and must return without waiting for it.
     */
    public LocalControl onDrain(Consumer<Duration> callback) {
        return new LocalControl(backend, caller, files, gate, requireNonNull(callback, "callback"));
    }

    /** Returns the same control with access to the files of this machine: output of runs, logs of workers. */
    public LocalControl with(NodeFiles filesOfThisNode) {
        return new LocalControl(backend, caller, requireNonNull(filesOfThisNode, "filesOfThisNode"), gate, onDrain);
    }

    /** Returns the same control for other callers; by default they are on this machine. */
    public LocalControl admitting(SubmissionGate gateOfCallers) {
        return new LocalControl(backend, caller, files, requireNonNull(gateOfCallers, "gateOfCallers"), onDrain);
    }

    /**
     * Returns the same control, which records in the audit log of the store who does what with it. Entries are kept for
     * {@link AuditLog#RETENTION}.
     */
    public Control audited() {
        return audited(
                AuditLog.immediate(backend.jobs().capability(AuditStore.class), backend.clock(), AuditLog.RETENTION));
    }

    /** Returns the same control, which records in this log who does what with it. */
    public Control audited(AuditLog log) {
        return AuditedControl.of(this, caller.actor(), log);
    }

    @Override
    public SubmitResult submit(List<JobDraft> drafts) {
        if (drafts.isEmpty() || drafts.size() > MOST_SUBMITTED) {
            throw ControlException
                    .invalid("a submission must have from 1 to " + MOST_SUBMITTED + " jobs: " + drafts.size());
        }
        return translating(() -> new Submissions(backend, gate).submit(drafts));
    }

    @Override
    public JobPage jobs(JobFilter filter) {
        return translating(() -> new JobSearch(backend).jobs(filter));
    }

    @Override
    public Map<String, String> shortIds(List<String> ids) {
        return translating(() -> new ShortIds(backend.jobs()).of(ids));
    }

    @Override
    public List<QueryFieldView> queryFields() {
        return translating(() -> new JobSearch(backend).fields());
    }

    @Override
    public JobDetail job(String id) {
        return onJob(id, job -> detail(job.id()));
    }

    @Override
    public JobWhy why(String id) {
        return onJob(id, job -> WaitViews.why(job,
                backend.why(job.id()).orElseThrow(() -> JobResolver.notFound(job.id().toString()))));
    }

    @Override
    public JobTree tree(String id, int generations, int limit) {
        InputChecks.between("generations", 1, MOST_GENERATIONS, generations);
        InputChecks.between("limit", 1, MOST_LISTED, limit);
        return onJob(id, job -> new FamilyTreeReader(backend.jobs(), limit).read(job, generations));
    }

    @Override
    public JobLog logs(String id, JobLogQuery query) {
        return onJob(id, job -> new JobLogReader(backend).read(job, query));
    }

    @Override
    public ConversationView conversation(String id, @Nullable Integer attempt) {
        return onJob(id, job -> output().conversation(job.id(), attempt));
    }

    @Override
    public JobDiff diff(String id, @Nullable Integer attempt) {
        return onJob(id, job -> new SavedChanges(backend, files).diff(job, attempt));
    }

    @Override
    public OutputChunk output(String id, OutputQuery query) {
        return onJob(id, job -> output().output(job.id(), query));
    }

    @Override
    public List<ArtifactView> artifacts(String id) {
        return onJob(id, job -> new ArtifactReader(backend, files).list(job.id()));
    }

    @Override
    public InputStream artifact(String id, String name, @Nullable Integer attempt) {
        return onJob(id, job -> new ArtifactReader(backend, files).open(job.id(), name, attempt));
    }

    @Override
    public JobDetail await(String id, Duration atMost) {
        InputChecks.notNegative("timeout", atMost);
        return onJob(id, job -> {
            if (!job.state().isFinal()) {
                try {
                    backend.await(job, atMost);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new ControlException(Kind.UNREACHABLE, "interrupted while waiting for job " + job.id(), e);
                }
            }
            return detail(job.id());
        });
    }

    @Override
    public JobView cancel(String id, String reason) {
        return onJob(id, job -> commands().cancel(job, reason));
    }

    @Override
    public JobView pause(String id, String reason) {
        return onJob(id, job -> commands().pause(job, reason));
    }

    @Override
    public JobView resume(String id) {
        return onJob(id, commands()::resume);
    }

    @Override
    public JobView runNow(String id) {
        return onJob(id, commands()::runNow);
    }

    @Override
    public JobView reschedule(String id, @Nullable Duration delay, @Nullable Instant runAt) {
        return onJob(id, job -> commands().reschedule(job, delay, runAt));
    }

    @Override
    public JobView retry(String id, @Nullable String fromStep, boolean forgetCheckpoint) {
        return onJob(id, job -> commands().retry(job, fromStep, forgetCheckpoint));
    }

    @Override
    public SubmitResult resubmit(String id, ResubmitDraft draft) {
        return onJob(id, job -> new Resubmission(backend, gate).resubmit(job, draft));
    }

    @Override
    public SubmitResult continueAgent(String id, ContinueDraft draft) {
        return onJob(id, job -> new AgentContinuation(backend, gate).submit(job, draft));
    }

    @Override
    public JobView delete(String id) {
        return onJob(id, commands()::delete);
    }

    private <T> T onJob(String id, Function<Job, T> operation) {
        return translating(() -> operation.apply(resolver().job(id)));
    }

    private JobDetail detail(JobId id) {
        return Views.detail(resolver().details(id), backend.runs(id), backend.held());
    }

    private JobResolver resolver() {
        return new JobResolver(backend.jobs());
    }

    private JobCommands commands() {
        return new JobCommands(backend, actor, gate);
    }

    private OutputReader output() {
        return new OutputReader(backend, files);
    }

    @Override
    public List<QueueView> queues() {
        return translating(() -> Views.queues(backend.jobs().countJobs()));
    }

    @Override
    public QueueView pauseQueue(String queue) {
        return onQueue(queue, new AdminCommand.PauseQueue(InputChecks.name("queue", queue), actor, backend.now()));
    }

    @Override
    public QueueView resumeQueue(String queue) {
        return onQueue(queue, new AdminCommand.ResumeQueue(InputChecks.name("queue", queue), actor, backend.now()));
    }

    private QueueView onQueue(String queue, AdminCommand command) {
        return translating(() -> {
            backend.execute(command);
            return Views.queue(queue, backend.jobs().countJobs());
        });
    }

    @Override
    public List<SessionView> sessions() {
        return translating(() -> backend.jobs().capability(SessionStore.class)
                .map(store -> store.sessions(MAX_SESSIONS)).orElse(List.of()).stream().map(Views::session).toList());
    }

    @Override
    public AffectedCount dropSession(String session) {
        return translating(() -> {
            if (!backend.dropSession(InputChecks.name("session", session))) {
                throw ControlException.notFound("there is no session '" + Limits.quoted(session) + "'");
            }
            return new AffectedCount(1);
        });
    }

    @Override
    public List<NodeView> nodes() {
        return translating(() -> directory().nodes());
    }

    @Override
    public NodeDetail node(String id) {
        return translating(() -> directory().node(id));
    }

    @Override
    public List<NodeDifference> nodeDifferences() {
        return translating(() -> directory().differences());
    }

    @Override
    public List<WorkerView> workers() {
        return translating(() -> directory().workers());
    }

    @Override
    public WorkerDetail worker(String id) {
        return translating(() -> directory().worker(id));
    }

    @Override
    public WorkerView startWorker() {
        return translating(() -> directory().start());
    }

    @Override
    public WorkerView stopWorker(String id) {
        return translating(() -> directory().remove(id, (open, worker) -> open.admin().stopWorker(worker)));
    }

    @Override
    public WorkerView drainWorker(String id) {
        return translating(() -> directory().remove(id, (open, worker) -> open.admin().drainWorker(worker)));
    }

    @Override
    public LogChunk workerLog(String id, long offset, Duration timeout) {
        return translating(() -> {
            // A log outlives its worker: the replacement continues it, and it stays when the last one is gone.
            String worker = directory().find(id).map(WorkerView::id).or(() -> Optional.of(id).filter(output()::hasLog))
                    .orElseThrow(() -> WorkerDirectory.notFound(id));
            return output().log(worker, offset, timeout);
        });
    }

    private WorkerDirectory directory() {
        return new WorkerDirectory(backend);
    }

    @Override
    public DeadLetterPage deadLetters(JobFilter filter) {
        return translating(() -> new JobSearch(backend).deadLetters(filter));
    }

    @Override
    public DeadLetterView deadLetter(String id) {
        return onJob(id, job -> {
            if (job.state() != JobState.FAILED) {
                throw ControlException.notFound("job " + job.id() + " is not a dead letter: it is " + job.state());
            }
            return Views.deadLetter(resolver().details(job.id()));
        });
    }

    @Override
    public AffectedCount retryDead(JobFilter filter) {
        return onDeadLetters(filter, new DeadLetterRetry(backend, actor, gate)::retry);
    }

    @Override
    public AffectedCount purgeDead(JobFilter filter) {
        return onDeadLetters(filter, query -> backend.execute(
                new AdminCommand.PurgeMatching(query, actor, backend.now())) instanceof CommandResult.Done(int count)
                        ? count : 0);
    }

    @Override
    public BulkView previewBulk(BulkDraft draft) {
        return startBulk(draft.dryRun(true));
    }

    @Override
    public BulkView startBulk(BulkDraft draft) {
        return translating(() -> new Bulks(backend, actor, gate).start(draft));
    }

    @Override
    public List<BulkView> bulks() {
        return translating(() -> new Bulks(backend, actor, gate).list());
    }

    @Override
    public BulkView bulk(String id) {
        return translating(() -> new Bulks(backend, actor, gate).find(id));
    }

    @Override
    public BulkView cancelBulk(String id) {
        Job job = translating(() -> new Bulks(backend, actor, gate).bulk(id));
        if (!job.state().isFinal()) {
            cancel(job.id().toString(), "");
        }
        return bulk(job.id().toString());
    }

    @Override
    public List<SavedView> views() {
        return translating(() -> new SavedViews(backend, actor).list());
    }

    @Override
    public SavedView saveView(ViewDraft view) {
        return translating(() -> new SavedViews(backend, actor).save(view));
    }

    @Override
    public SavedView removeView(String name) {
        return translating(() -> new SavedViews(backend, actor).remove(name));
    }

    private AffectedCount onDeadLetters(JobFilter filter, ToLongFunction<JobQuery> command) {
        if (filter.text() != null) {
            throw ControlException
                    .invalid("dead letters cannot be retried or purged by text; list them by text and pass their ids");
        }
        return translating(
                () -> new AffectedCount(command.applyAsLong(new JobSearch(backend).deadLetterQuery(filter))));
    }

    @Override
    public List<BatchView> batches() {
        return translating(() -> new Batches(backend, actor, gate).list());
    }

    @Override
    public BatchView batch(String id) {
        return onBatch(id, Batches::view);
    }

    @Override
    public UnitPage units(String id, @Nullable String cursor, int limit) {
        InputChecks.between("limit", 1, MOST_LISTED, limit);
        return onBatch(id, (batches, batch) -> batches.units(batch, cursor, limit));
    }

    @Override
    public BatchView approveBatch(String id) {
        return onBatch(id, Batches::approve);
    }

    @Override
    public AffectedCount retryBatch(String id) {
        return onBatch(id, Batches::retryFailedUnits);
    }

    private <T> T onBatch(String id, BiFunction<Batches, Job, T> operation) {
        return translating(() -> operation.apply(new Batches(backend, actor, gate), resolver().batch(id)));
    }

    @Override
    public List<BudgetView> budgets() {
        return translating(() -> new Budgets(backend).list());
    }

    @Override
    public BudgetView setBudget(BudgetDraft budget) {
        return translating(() -> new Budgets(backend).set(budget));
    }

    @Override
    public AffectedCount removeBudget(@Nullable String scope, String measure) {
        return translating(() -> new Budgets(backend).remove(scope, measure));
    }

    @Override
    public List<LimitView> limits() {
        return translating(() -> new KeyLimits(backend).list());
    }

    @Override
    public LimitView setLimit(LimitDraft limit) {
        return translating(() -> new KeyLimits(backend).set(limit));
    }

    @Override
    public AffectedCount removeLimit(String name) {
        return translating(() -> new KeyLimits(backend).remove(name));
    }

    @Override
    public SchedulePage schedules(@Nullable String cursor, int limit) {
        return translating(() -> scheduling().list(cursor, limit));
    }

    @Override
    public ScheduleDetail schedule(String name) {
        return translating(() -> scheduling().detail(name));
    }

    @Override
    public List<Instant> scheduleTimes(String name, int count) {
        return translating(() -> scheduling().next(name, count));
    }

    @Override
    public ScheduleView setSchedule(ScheduleDraft schedule) {
        return translating(() -> scheduling().set(schedule));
    }

    @Override
    public ScheduleView pauseSchedule(String name) {
        return translating(() -> scheduling().pause(name));
    }

    @Override
    public ScheduleView resumeSchedule(String name) {
        return translating(() -> scheduling().resume(name));
    }

    @Override
    public ScheduleView resetSchedule(String name) {
        return translating(() -> scheduling().reset(name));
    }

    @Override
    public ScheduleView deleteSchedule(String name) {
        return translating(() -> scheduling().delete(name));
    }

    @Override
    public JobView triggerSchedule(String name) {
        return translating(() -> scheduling().trigger(name));
    }

    @Override
    public BackfillResult backfillSchedule(String name, BackfillDraft times) {
        return translating(() -> scheduling().backfill(name, times));
    }

    private ScheduleControl scheduling() {
        return new ScheduleControl(backend, actor, gate);
    }

    @Override
    public Stats stats() {
        return translating(() -> {
            JobCounts tally = backend.jobs().countJobs();
            Optional<Pool> pool = backend.pool();
            return new Stats(tally.byState(_ -> true), tally.dead(), tally.pausedQueues().stream().sorted().toList(),
                    pool.map(open -> open.admin().nodeId()).orElse(null),
                    pool.map(open -> open.admin().stats(tally)).orElse(null),
                    pool.map(node -> List.copyOf(new TreeSet<>(node.admin().types()))).orElse(List.of()),
                    new StatsReader(backend).lines());
        });
    }

    @Override
    public StatsSeries statsSeries(@Nullable String type, @Nullable String queue, @Nullable String window) {
        return translating(() -> new StatsReader(backend).series(type, queue, window));
    }

    @Override
    public List<ErrorView> errors(@Nullable String type, int limit) {
        return translating(() -> errorControl().list(type, limit));
    }

    @Override
    public ErrorDetail error(String fingerprint, @Nullable String cursor, int limit) {
        return translating(() -> errorControl().show(fingerprint, cursor, limit));
    }

    @Override
    public ErrorView describeError(String fingerprint, ErrorNote note) {
        return translating(() -> errorControl().describe(fingerprint, note));
    }

    @Override
    public AffectedCount retryErrors(String fingerprint) {
        return translating(() -> errorControl().retry(fingerprint));
    }

    @Override
    public AffectedCount purgeErrors(String fingerprint) {
        return translating(() -> errorControl().purge(fingerprint));
    }

    private ErrorControl errorControl() {
        return new ErrorControl(backend, actor, gate);
    }

    @Override
    public DrainResult drain(@Nullable Duration atMost) {
        Duration longest = atMost == null ? Limits.DURATION
                : InputChecks.notNegative("atMost", atMost);
        Pool pool = backend.pool()
                .orElseThrow(() -> ControlException.notFound("no node runs here, so there is nothing to drain"));
        if (onDrain == null) {
            throw new ControlException(Kind.CONFLICT,
                    "node " + pool.admin().nodeId() + " is part of an application; stop that application instead");
        }
        return translating(() -> {
            DrainResult result = new DrainResult(pool.admin().nodeId(), pool.stats().active());
            onDrain.accept(longest);
            return result;
        });
    }

    @Override
    public CallerView caller() {
        return new CallerView(actor, caller.role());
    }

    @Override
    public List<TokenView> tokens() {
        return translating(() -> access().list());
    }

    @Override
    public NewTokenView createToken(TokenDraft token) {
        return translating(() -> access().create(token));
    }

    @Override
    public TokenView revokeToken(String name) {
        return translating(() -> access().revoke(name));
    }

    @Override
    public AuditPage audit(AuditFilter filter) {
        return translating(() -> new AuditReader(backend).page(filter));
    }

    private Tokens access() {
        return new Tokens(backend, actor);
    }

    @Override
    public void close() {
        backend.close();
    }
}
