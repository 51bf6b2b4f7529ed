package dev.heddle.server;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import dev.heddle.access.Actor;
import dev.heddle.access.Caller;
import dev.heddle.control.Control;
import dev.heddle.control.JobControl;
import dev.heddle.control.http.BudgetNameBody;
import dev.heddle.control.http.DrainBody;
import dev.heddle.control.http.Endpoint;
import dev.heddle.control.http.Endpoints;
import dev.heddle.control.http.LimitNameBody;
import dev.heddle.control.http.QueueBody;
import dev.heddle.control.http.ReasonBody;
import dev.heddle.control.http.RescheduleBody;
import dev.heddle.control.http.RetryBody;
import dev.heddle.control.http.SessionBody;
import dev.heddle.control.http.SubmitAllBody;
import dev.heddle.control.http.TokenNameBody;
import dev.heddle.control.local.AuditLog;
import dev.heddle.control.local.LocalControl;
import dev.heddle.control.local.LocalJobControl;
import dev.heddle.control.local.SubmissionGate;
import dev.heddle.control.model.BackfillDraft;
import dev.heddle.control.model.BudgetDraft;
import dev.heddle.control.model.BulkDraft;
import dev.heddle.control.model.ContinueDraft;
import dev.heddle.control.model.ErrorNote;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.JobFilter;
import dev.heddle.control.model.LimitDraft;
import dev.heddle.control.model.NewTokenView;
import dev.heddle.control.model.ProgressBody;
import dev.heddle.control.model.ResubmitDraft;
import dev.heddle.control.model.ScheduleDraft;
import dev.heddle.control.model.TokenDraft;
import dev.heddle.control.model.TokenView;
import dev.heddle.control.model.ViewDraft;

/** Binds each {@link Endpoint} to the call of {@link Control} that answers it. */
final class Routes {

    private final LocalControl control;
    private final Duration longestWait;
    private final LocalControl remote;
    private final NamedTokens tokens;
    private final AuditLog audit;
    private final RequestOrigin origin;
    private final Map<Endpoint<?>, Function<ApiRequest, ?>> handlers = new HashMap<>();

    /** An endpoint with the function that answers its requests. */
    record Route(Endpoint<?> endpoint, Function<ApiRequest, ?> handler) {}

    private Routes(LocalControl control, Duration longestWait, SubmissionGate others, RequestOrigin origin,
            NamedTokens tokens, AuditLog audit) {
        this.tokens = tokens;
        this.audit = audit;
        this.control = control;
        this.longestWait = longestWait;
        this.remote = control.admitting(others);
        this.origin = origin;
    }

    /**
     * Returns a route for every endpoint, in the order of {@link Endpoints#all}.
     *
     * @param others decides about requests from other machines
     * @param origin tells which requests these are
     * @param tokens forgets what it knows if tokens change
     * @param audit records what requests change
     */
    static List<Route> of(LocalControl control, Duration longestWait, SubmissionGate others, RequestOrigin origin,
            NamedTokens tokens, AuditLog audit) {
        Routes routes = new Routes(control, longestWait, others, origin, tokens, audit);
        routes.bindJobs();
        routes.bindProcessesOfJobs();
        routes.bindDeadLetters();
        routes.bindErrors();
        routes.bindBulksAndViews();
        routes.bindQueuesAndSessions();
        routes.bindNodesAndWorkers();
        routes.bindBatchesAndBudgets();
        routes.bindSchedules();
        routes.bindAccess();
        return Endpoints.all().stream().map(routes::route).toList();
    }

    private Route route(Endpoint<?> endpoint) {
        Function<ApiRequest, ?> handler = handlers.get(endpoint);
        if (handler == null) {
            throw new IllegalStateException("no handler is bound to " + endpoint.method() + " " + endpoint.path());
        }
        return new Route(endpoint, handler);
    }

    private <T> void bind(Endpoint<T> endpoint, Function<ApiRequest, T> handler) {
        handlers.put(endpoint, handler);
    }

    private void bindJobs() {
        bind(Endpoints.SUBMIT,
                request -> by(request).submit(List.of(request.body(JobDraft.class))));
        bind(Endpoints.SUBMIT_ALL, request -> by(request).submit(drafts(request)));
        bind(Endpoints.JOBS, request -> control.jobs(request.filter()));
        bind(Endpoints.SHORT_IDS, request -> control.shortIds(request.all(Endpoints.ID)));
        bind(Endpoints.QUERY_FIELDS, _ -> control.queryFields());
        bind(Endpoints.JOB, request -> control.job(request.id()));
        bind(Endpoints.JOB_WHY, request -> control.why(request.id()));
        bind(Endpoints.JOB_TREE,
                request -> control.tree(request.id(),
                        request.number(Endpoints.GENERATIONS, Endpoints.DEFAULT_GENERATIONS),
                        request.number(Endpoints.TREE_LIMIT, Endpoints.DEFAULT_LIMIT)));
        bind(Endpoints.JOB_LOGS, request -> control.logs(request.id(), request.logQuery(longestWait)));
        bind(Endpoints.JOB_CONVERSATION,
                request -> control.conversation(request.id(), request.number(Endpoints.ATTEMPT)));
        bind(Endpoints.JOB_DIFF, request -> control.diff(request.id(), request.number(Endpoints.DIFF_ATTEMPT)));
        bind(Endpoints.JOB_OUTPUT, request -> control.output(request.id(), request.outputQuery(longestWait)));
        bind(Endpoints.JOB_ARTIFACTS, request -> control.artifacts(request.id()));
        bind(Endpoints.AWAIT_JOB,
                request -> control.await(request.id(), request.timeout(Endpoints.WAIT_TIMEOUT, longestWait)));
        bind(Endpoints.CANCEL_JOB, request -> by(request).cancel(request.id(), reason(request)));
        bind(Endpoints.PAUSE_JOB, request -> by(request).pause(request.id(), reason(request)));
        bind(Endpoints.RESUME_JOB, request -> by(request).resume(request.id()));
        bind(Endpoints.RUN_JOB_NOW, request -> by(request).runNow(request.id()));
        bind(Endpoints.RESCHEDULE_JOB, request -> {
            RescheduleBody body = request.body(RescheduleBody.class);
            return by(request).reschedule(request.id(), body.delay(), body.runAt());
        });
        bind(Endpoints.RETRY_JOB, request -> {
            RetryBody body = request.body(RetryBody.class, RetryBody.PLAIN);
            return by(request).retry(request.id(), body.fromStep(), body.forgetsCheckpoint());
        });
        bind(Endpoints.RESUBMIT_JOB, request -> by(request).resubmit(request.id(),
                request.body(ResubmitDraft.class, new ResubmitDraft(null, null))));
        bind(Endpoints.CONTINUE_JOB,
                request -> by(request).continueAgent(request.id(), request.body(ContinueDraft.class)));
        bind(Endpoints.DELETE_JOB, request -> by(request).delete(request.id()));
    }

    private void bindProcessesOfJobs() {
        bind(Endpoints.OWN_JOB, request -> own(request).job());
        bind(Endpoints.OWN_PROGRESS, request -> own(request).progress(request.body(ProgressBody.class)));
        bind(Endpoints.SPAWN, request -> own(request).spawn(request.body(JobDraft.class)));
    }

    private JobControl own(ApiRequest request) {
        return new LocalJobControl(AccessGuard.job(request.context()), control);
    }

    private void bindDeadLetters() {
        bind(Endpoints.DEAD_LETTERS, request -> control.deadLetters(request.filter()));
        bind(Endpoints.RETRY_DEAD_LETTERS, request -> by(request).retryDead(request.body(JobFilter.class)));
        bind(Endpoints.PURGE_DEAD_LETTERS, request -> by(request).purgeDead(request.body(JobFilter.class)));
        bind(Endpoints.DEAD_LETTER, request -> control.deadLetter(request.id()));
        bind(Endpoints.RETRY_DEAD_LETTER, request -> by(request).retry(request.id()));
    }

    private void bindErrors() {
        bind(Endpoints.ERRORS, request -> control.errors(request.text(Endpoints.TYPE),
                request.number(Endpoints.LIMIT, Endpoints.DEFAULT_LIMIT)));
        bind(Endpoints.ERROR, request -> control.error(request.id(), request.text(Endpoints.CURSOR),
                request.number(Endpoints.LIMIT, Endpoints.DEFAULT_LIMIT)));
        bind(Endpoints.DESCRIBE_ERROR,
                request -> by(request).describeError(request.id(), request.body(ErrorNote.class)));
        bind(Endpoints.RETRY_ERRORS, request -> by(request).retryErrors(request.id()));
        bind(Endpoints.PURGE_ERRORS, request -> by(request).purgeErrors(request.id()));
    }

    private void bindBulksAndViews() {
        bind(Endpoints.START_BULK, request -> {
            BulkDraft draft = request.body(BulkDraft.class);
            return Boolean.TRUE.equals(draft.dryRun()) ? control.previewBulk(draft) : by(request).startBulk(draft);
        });
        bind(Endpoints.BULKS, _ -> control.bulks());
        bind(Endpoints.BULK, request -> control.bulk(request.id()));
        bind(Endpoints.CANCEL_BULK, request -> by(request).cancelBulk(request.id()));
        bind(Endpoints.VIEWS, _ -> control.views());
        bind(Endpoints.SAVE_VIEW, request -> by(request).saveView(request.body(ViewDraft.class)));
        bind(Endpoints.REMOVE_VIEW, request -> by(request).removeView(request.id()));
    }

    private void bindQueuesAndSessions() {
        bind(Endpoints.QUEUES, _ -> control.queues());
        bind(Endpoints.PAUSE_QUEUE, request -> by(request).pauseQueue(request.body(QueueBody.class).queue()));
        bind(Endpoints.RESUME_QUEUE, request -> by(request).resumeQueue(request.body(QueueBody.class).queue()));
        bind(Endpoints.SESSIONS, _ -> control.sessions());
        bind(Endpoints.DROP_SESSION, request -> by(request).dropSession(request.body(SessionBody.class).session()));
    }

    private void bindNodesAndWorkers() {
        bind(Endpoints.NODES, _ -> control.nodes());
        bind(Endpoints.NODE_DIFFERENCES, _ -> control.nodeDifferences());
        bind(Endpoints.NODE, request -> control.node(request.id()));
        bind(Endpoints.WORKERS, _ -> control.workers());
        bind(Endpoints.START_WORKER, request -> by(request).startWorker());
        bind(Endpoints.STOP_WORKER, request -> by(request).stopWorker(request.id()));
        bind(Endpoints.DRAIN_WORKER, request -> by(request).drainWorker(request.id()));
        bind(Endpoints.WORKER_LOG, request -> control.workerLog(request.id(), request.offset(),
                request.timeout(Endpoints.LOG_TIMEOUT, longestWait)));
        bind(Endpoints.WORKER, request -> control.worker(request.id()));
        bind(Endpoints.STATS, _ -> control.stats());
        bind(Endpoints.STATS_SERIES, request -> control.statsSeries(request.text(Endpoints.TYPE),
                request.text(Endpoints.QUEUE), request.text(Endpoints.WINDOW)));
        bind(Endpoints.DRAIN,
                request -> by(request).drain(request.body(DrainBody.class, new DrainBody(null)).atMost()));
    }

    private void bindBatchesAndBudgets() {
        bind(Endpoints.BATCHES, _ -> control.batches());
        bind(Endpoints.BATCH, request -> control.batch(request.id()));
        bind(Endpoints.BATCH_UNITS, request -> control.units(request.id(), request.text(Endpoints.CURSOR),
                request.number(Endpoints.LIMIT, Endpoints.DEFAULT_LIMIT)));
        bind(Endpoints.APPROVE_BATCH, request -> by(request).approveBatch(request.id()));
        bind(Endpoints.RETRY_BATCH, request -> by(request).retryBatch(request.id()));
        bind(Endpoints.BUDGETS, _ -> control.budgets());
        bind(Endpoints.SET_BUDGET, request -> by(request).setBudget(request.body(BudgetDraft.class)));
        bind(Endpoints.REMOVE_BUDGET, request -> {
            BudgetNameBody budget = request.body(BudgetNameBody.class);
            return by(request).removeBudget(budget.scope(), budget.measure());
        });
        bind(Endpoints.LIMITS, _ -> control.limits());
        bind(Endpoints.SET_LIMIT, request -> by(request).setLimit(request.body(LimitDraft.class)));
        bind(Endpoints.REMOVE_LIMIT, request -> by(request).removeLimit(request.body(LimitNameBody.class).name()));
    }

    private void bindSchedules() {
        bind(Endpoints.SCHEDULES, request -> control.schedules(request.text(Endpoints.CURSOR),
                request.number(Endpoints.LIMIT, Endpoints.DEFAULT_LIMIT)));
        bind(Endpoints.SET_SCHEDULE, request -> by(request).setSchedule(request.body(ScheduleDraft.class)));
        bind(Endpoints.SCHEDULE_TIMES, request -> control.scheduleTimes(request.id(),
                request.number(Endpoints.LIMIT, Endpoints.DEFAULT_LIMIT)));
        bind(Endpoints.PAUSE_SCHEDULE, request -> by(request).pauseSchedule(request.id()));
        bind(Endpoints.RESUME_SCHEDULE, request -> by(request).resumeSchedule(request.id()));
        bind(Endpoints.RESET_SCHEDULE, request -> by(request).resetSchedule(request.id()));
        bind(Endpoints.TRIGGER_SCHEDULE, request -> by(request).triggerSchedule(request.id()));
        bind(Endpoints.BACKFILL_SCHEDULE,
                request -> by(request).backfillSchedule(request.id(), request.body(BackfillDraft.class)));
        bind(Endpoints.SCHEDULE, request -> control.schedule(request.id()));
        bind(Endpoints.DELETE_SCHEDULE, request -> by(request).deleteSchedule(request.id()));
    }

    private void bindAccess() {
        bind(Endpoints.CALLER, request -> by(request).caller());
        bind(Endpoints.AUDIT, request -> control.audit(request.auditFilter()));
        bind(Endpoints.TOKENS, _ -> control.tokens());
        bind(Endpoints.CREATE_TOKEN, request -> {
            NewTokenView created = by(request).createToken(request.body(TokenDraft.class));
            tokens.forget();
            return created;
        });
        bind(Endpoints.REVOKE_TOKEN, request -> {
            TokenView revoked = by(request).revokeToken(request.body(TokenNameBody.class).name());
            tokens.forget();
            return revoked;
        });
    }

    /**
     * Returns the control for what changes something: it knows the caller and where the request comes from, and records
     * what it does. A user of a proxy is never on this machine.
     */
    private Control by(ApiRequest request) {
        Caller caller = AccessGuard.caller(request.context());
        boolean local = caller.actor().kind() != Actor.Kind.USER && origin.isLocal(request);
        return (local ? control : remote).as(caller).audited(audit);
    }

    private static List<JobDraft> drafts(ApiRequest request) {
        return Objects.requireNonNullElse(request.body(SubmitAllBody.class).jobs(), List.of());
    }

    private static String reason(ApiRequest request) {
        return Objects.requireNonNullElse(request.body(ReasonBody.class, new ReasonBody(null)).reason(), "");
    }
}
