package dev.heddle.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;

import dev.heddle.engine.cluster.Adoption;
import dev.heddle.engine.cluster.NodeIdentity;
import dev.heddle.engine.cluster.NodeLease;
import dev.heddle.engine.cluster.NodeRecovery;
import dev.heddle.engine.cluster.Reconciler;
import dev.heddle.engine.commit.AfterCommit;
import dev.heddle.engine.commit.ClosingCounts;
import dev.heddle.engine.commit.CompletionPoller;
import dev.heddle.engine.commit.Ledger;
import dev.heddle.engine.commit.PendingFutures;
import dev.heddle.engine.dispatch.ClaimSource;
import dev.heddle.engine.dispatch.ClaimsInFlight;
import dev.heddle.engine.dispatch.Demand;
import dev.heddle.engine.dispatch.Dispatcher;
import dev.heddle.engine.event.EventPublication;
import dev.heddle.engine.execute.AttemptRunner;
import dev.heddle.engine.execute.AttemptServices;
import dev.heddle.engine.execute.AttemptStopper;
import dev.heddle.engine.execute.ClosingTimes;
import dev.heddle.engine.execute.IdleCheck;
import dev.heddle.engine.execute.LeaseTimer;
import dev.heddle.engine.execute.ProbationWatch;
import dev.heddle.engine.execute.RunningAttempt;
import dev.heddle.engine.execute.Watchdog;
import dev.heddle.engine.execute.WorkerGroup;
import dev.heddle.engine.log.LogWriter;
import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.registry.Handling;
import dev.heddle.engine.registry.Registration;
import dev.heddle.engine.schedule.ScheduleBook;
import dev.heddle.engine.schedule.Scheduler;
import dev.heddle.engine.submit.AfterSubmit;
import dev.heddle.engine.submit.CurrentLimits;
import dev.heddle.engine.submit.Intake;
import dev.heddle.engine.submit.RequestEncoder;
import dev.heddle.engine.submit.Sequels;
import dev.heddle.engine.support.BackgroundService;
import dev.heddle.engine.support.BackgroundServices;
import dev.heddle.engine.support.EventPublisher;
import dev.heddle.engine.support.JsonCodec;
import dev.heddle.engine.support.PoolCounters;
import dev.heddle.env.Environment;
import dev.heddle.env.SteerableClock;
import dev.heddle.event.EventSource;
import dev.heddle.event.EventStore;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.ClosingReport;
import dev.heddle.pool.HoldReasons;
import dev.heddle.pool.PoolSettings;
import dev.heddle.pool.PoolSettings.Stopping;
import dev.heddle.pool.PoolStats;
import dev.heddle.pool.RecoveryReport;
import dev.heddle.pool.Sequel;
import dev.heddle.schedule.ScheduleStore;
import dev.heddle.stats.CountStore;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.ClockedStore;
import dev.heddle.store.Store;
import dev.heddle.waiting.LivingNode;
import dev.heddle.waiting.NodeStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running parts of a pool: builds them, wires them together, and opens and closes them in the right order.
 *
 * <p>The constructor is the wiring diagram. It follows the path of a job: submit, dispatch, execute, commit, then the
 * parts that keep this node's place among other nodes.
 */
public final class Node {

    private static final Logger LOG = LoggerFactory.getLogger(Node.class);
    /** How long to wait for a service that was asked to stop and may be in the middle of a call to the store. */
    private static final Duration SERVICE_STOP_TIMEOUT = Duration.ofSeconds(2);

    private final Store store;
    private final StoreOwnership storeOwnership;
    private final PoolSettings settings;
    private final Environment env;
    private final PoolCounters counters = new PoolCounters();
    private final PendingFutures waiters = new PendingFutures();
    private final EventPublisher events = new EventPublisher();
    private final ExecutorService commitLeaders;
    private final JsonCodec codec;
    private final Demand demand;
    private final HandlerRegistry registry;
    private final ClaimsInFlight inFlight;
    private final StatusReport status;
    private final Ledger ledger;
    private final Watchdog watchdog;
    private final AfterSubmit afterSubmit;
    private final Intake intake;
    private final Sequels sequels;
    private final AfterCommit afterCommit;
    private final AttemptRunner runner;
    private final WorkerGroups groups;
    private final AttemptStopper stopper;
    private final Adoption adoption;
    private final NodeRecovery nodeRecovery;
    private final NodeLease nodeLease;
    private final CompletionPoller completionWatcher;
    private final Optional<Scheduler> scheduler;
    private final Optional<ScheduleBook> schedules;
    private final EventPublication publication;
    private final BackgroundServices services;
    private final Closing closing;

    private Node(NodeParts parts, StoreOwnership storeOwnership) {
        this.store = parts.store();
        this.storeOwnership = storeOwnership;
        this.settings = parts.settings();
        this.env = withMillisecondClock(parts.env());
        store.capability(ClockedStore.class).ifPresent(clocked -> clocked.useClock(env));
        this.commitLeaders = env.threadPool("heddle-intake-", false);
        this.codec = new JsonCodec(parts.mapper());
        this.demand = new Demand(env);
        this.registry = new HandlerRegistry(parts.registrations(), settings, parts.gates(), env, demand::workAvailable);
        this.inFlight = new ClaimsInFlight(registry, demand, env);
        this.status = new StatusReport(registry, inFlight, parts, env);
        LeaseTimer lease = new LeaseTimer(settings.liveness().lease(), settings.liveness().runTime(settings.stopping()),
                env);
        this.ledger = new Ledger(store, env, demand::roomAvailable);
        this.watchdog = new Watchdog(env, settings.stopping(), lease, this::abandon, this::leaseLapsed);

        this.afterSubmit = new AfterSubmit(registry, counters, events, demand);
        RequestEncoder encoder = new RequestEncoder(settings, codec, new CurrentLimits(store, env));
        this.intake = new Intake(store, env, encoder, registry, afterSubmit, commitLeaders);
        this.intake.cancelBy(this::cancelForRoom);
        this.sequels = new Sequels(parts.sequels(), intake);

        NodeStatistics statistics = new NodeStatistics(store, env);
        this.afterCommit = new AfterCommit(afterSubmit, waiters, parts.listeners(), inFlight, statistics);
        ProbationWatch probation = new ProbationWatch(watchdog.running(), inFlight.starts(), ledger, env);
        LogWriter logs = new LogWriter(store, env);
        AttemptServices attemptServices = new NodeServices(env, store, ledger, logs, probation,
                settings.recovering().maxCrashes(), codec, intake, sequels, events, watchdog, this::reserve);
        this.runner = new AttemptRunner(attemptServices, registry, watchdog, afterCommit, lease, this::id);
        this.groups = new WorkerGroups(parts, env, registry, runner, new GroupListener(demand, events),
                inFlight.starts(), this::id);
        this.stopper = new AttemptStopper(groups.all(), runner, watchdog);

        ClaimSource claims = new StoreClaims(store, this::id, settings.claiming().ahead(), inFlight, ledger, counters,
                intake, env);
        Dispatcher dispatcher = new Dispatcher(claims, env, demand, inFlight, registry, List.copyOf(groups.all()),
                settings.claiming());
        this.completionWatcher = new CompletionPoller(store, waiters, lease::isShared, env);

        this.adoption = new Adoption(store, parts.detachedWork(), registry, inFlight, groups.all());
        NodeIdentity identity = new NodeIdentity(NodeName.next(parts.env()), env.clock(), settings.liveness().lease(),
                groups.all(), status::last, codec);
        Reconciler reconciler = new Reconciler(stopper, inFlight, ledger, demand, env.clock());
        this.nodeRecovery = new NodeRecovery(identity, store, settings.recovering(), reconciler, adoption,
                this::deadLettered);
        this.scheduler = store.capability(ScheduleStore.class)
                .map(known -> new Scheduler(known, env, this::scheduled));
        this.publication = new EventPublication(store.capability(EventStore.class), env, events, this::id);
        this.nodeLease = new NodeLease(store, env, settings.liveness().renewEvery(), lease, inFlight, demand,
                nodeRecovery,
                new LeaseEvents(watchdog, completionWatcher, intake, groups, dispatcher, counters, scheduler,
                        publication));

        List<BackgroundService> ordered = new ArrayList<>(
                List.of(ledger, logs, watchdog, probation, new Pruner(store, env, settings.retention()), nodeLease,
                        completionWatcher, publication));
        groups.sweeper().ifPresent(ordered::add);
        this.schedules = scheduler.map(service -> new ScheduleBook(
                store.capability(ScheduleStore.class).orElseThrow(), encoder, env, this::scheduled, service::raise));
        scheduler.ifPresent(ordered::add);
        ordered.add(statistics);
        store.capability(CountStore.class).ifPresent(counts -> ordered.add(new CountFolder(counts, env)));
        ordered.add(dispatcher);
        this.services = new BackgroundServices(env, ordered);
        this.closing = new Closing(dispatcher, stopper, ledger, services, settings.stopping(), env);
    }

    /** Stores keep milliseconds, so every time that is compared with a stored one must have them, too. */
    private static Environment withMillisecondClock(Environment env) {
        InstantSource clock = env.clock();
        return clock instanceof SteerableClock ? env
                : env.withClock(() -> clock.instant().truncatedTo(ChronoUnit.MILLIS));
    }

    /**
     * Opens a node on a store: joins the other nodes, recovers the jobs of dead ones, and starts to work.
     *
     * @throws IllegalStateException if the store has an open pool already
     */
    public static Node open(NodeParts parts) {
        StoreOwnership storeOwnership = StoreOwnership.acquire(parts.store());
        try {
            return join(new Node(parts, storeOwnership));
        } catch (Throwable e) {
            storeOwnership.close();
            throw e;
        }
    }

    private static Node join(Node node) {
        try {
            node.nodeLease.join();
            node.counters.addQueued(node.store.countJobs().in(JobState.QUEUED));
            node.intake.limitsChanged();
            node.groups.open(node.id());
        } catch (Throwable e) {
            node.groups.close();
            throw e;
        }
        node.services.start();
        LOG.atInfo().addKeyValue("node", node.id()).addKeyValue("workers", node.settings.workers()).log(
                "Pool {} open: {} workers, job types: {}", node.id(), node.settings.workers(), node.registry.names());
        return node;
    }

    /** Runs after schedules have fired. */
    private void scheduled(ScheduleStore.Fired fired) {
        if (!fired.jobs().isEmpty()) {
            afterSubmit.committed(fired.jobs());
        }
        for (JobId earlier : fired.cancelled()) {
            AdminCommand.Cancel cancel = new AdminCommand.Cancel(earlier, "the next run of its schedule is due", id(),
                    now());
            afterCommand().run(cancel, store.execute(cancel));
        }
    }

    /** Returns the schedules of the store; empty if it keeps none. */
    public Optional<ScheduleBook> schedules() {
        return schedules;
    }

    /** Runs one more type on this node; returns false if it has a handler already. */
    public <P, R> boolean register(JobType<P, R> type, Handling<P, R> handling) {
        Registration<P, R> registration = new Registration<>(type, handling, settings);
        groups.requireFit(registration);
        if (!registry.addUnclaimed(registration)) {
            return false;
        }
        // Attempts that outlived their node get a worker before new jobs do.
        nodeLease.adopt();
        registry.startClaiming(registration);
        demand.workAvailable();
        return true;
    }

    /** Sets the jobs that follow when a job of this type ends. */
    public void addSequel(String type, Sequel sequel) {
        sequels.put(type, sequel);
    }

    private boolean reserve(RunningAttempt run) {
        return adoption.reserve(run);
    }

    private void cancelForRoom(JobId job, String reason) {
        AdminCommand cancel = new AdminCommand.Cancel(job, reason, id(), now());
        afterCommand().run(cancel, store.execute(cancel));
    }

    private void leaseLapsed() {
        nodeRecovery.leaseLapsed();
    }

    private void deadLettered(Job dead) {
        afterCommit.runFailureHook(dead);
        sequels.submit(dead);
    }

    private void abandon(RunningAttempt run) {
        runner.abandon(run);
        groups.get(run.registration().group()).replace(run.worker());
    }

    /**
     * Removes a worker.
     *
     * @param atOnce whether to stop and requeue the job that it runs, instead of waiting for its end
     * @return whether there is such a worker
     */
    public boolean dismiss(String worker, boolean atOnce) {
        boolean found = groups.all().stream().anyMatch(group -> group.shrink(worker));
        if (found && atOnce) {
            watchdog.stopWorker(worker);
        }
        return found;
    }

    /** Ends a session, here or on another node; returns whether there was one. */
    public boolean dropSession(String session) {
        boolean dropped = groups.dropSession(session);
        demand.workAvailable();
        return dropped;
    }

    /** Covers new jobs by the limits that the store has now, and claims jobs that may have room. */
    public void limitsChanged() {
        intake.limitsChanged();
        demand.workAvailable();
    }

    /** Returns what creates the futures of callers that wait for jobs. */
    public CompletionPoller completionWatcher() {
        return completionWatcher;
    }

    /** Returns what this node does after a command is committed. */
    public AfterCommand afterCommand() {
        return new AfterCommand(store, stopper, intake, waiters, completionWatcher, events, demand, groups);
    }

    /** Returns a check for whether any job is left to run. */
    public IdleCheck idleCheck() {
        return new IdleCheck(store, ledger, groups.all(), env);
    }

    /** Returns the counts of this node, with the number of queued jobs in the store. */
    public PoolStats stats(long queued) {
        return counters.snapshot(groups.size(), groups.active(), queued, held().reasons());
    }

    /** Returns everything that may not start here now, with the reasons. */
    public HoldReasons held() {
        return HoldReasons.of(status.now());
    }

    /** Returns what the process of this node has used in the last minutes, oldest first. */
    public List<NodeStatus.Load> loads() {
        return status.loads();
    }

    /** Returns this node as of now. */
    public LivingNode describe() {
        return new LivingNode(id(), status.now(),
                groups.all().stream().flatMap(group -> group.snapshots().stream()).toList());
    }

    /**
     * Closes the node and its store, in bounded time whatever handlers and the store do. Call {@link #limitClosing}
     * first.
     */
    public ClosingReport close() {
        long startedAt = env.nanoTime();
        LOG.atInfo().addKeyValue("node", id()).log("Pool {} closing", id());
        status.closing();
        nodeLease.renewSoon();
        ClosingCounts counts = afterCommit.startCounting();
        adoption.close();
        closing.run();
        services.stopAll(SERVICE_STOP_TIMEOUT);
        commitLeaders.shutdown();
        waiters.close();
        storeOwnership.closeStore(env);
        // Not earlier: attempts may end until here, and each end counts.
        ClosingReport report = counts.report(inFlight.fences().size(), Duration.ofNanos(env.nanoTime() - startedAt));
        LOG.atInfo().addKeyValue("node", id()).addKeyValue("report", report).log("Pool {} closed: {}", id(),
                report.summary());
        return report;
    }

    /**
     * Sets how long running handlers may go on when the node closes, or shortens that if it is closing.
     *
     * @param chooseTimes chooses the times, given the settings
     */
    public void limitClosing(Function<Stopping, ClosingTimes> chooseTimes) {
        closing.limit(chooseTimes);
    }

    /** Returns what this node recovered when it opened. */
    public RecoveryReport openingReport() {
        return nodeRecovery.openingReport();
    }

    /** Returns the id of this node in the store. It changes if the node is declared dead and rejoins. */
    public String id() {
        return nodeRecovery.id();
    }

    /** Returns the clock, which has milliseconds. */
    public InstantSource clock() {
        return env.clock();
    }

    /** Returns the time of day. */
    public Instant now() {
        return env.clock().instant();
    }

    /** Writes to the store and returns why this node cannot work now; empty if it can. */
    public Optional<String> problem() {
        List<String> down = services.down();
        if (!down.isEmpty()) {
            return Optional.of("a background service failed and is being restarted: " + String.join(", ", down));
        }
        return ledger.problem().or(() -> nodeLease.checkStore()
                // Without the message, which may name hosts and files.
                .map(failure -> "the store does not accept writes (" + failure.kind() + ")"));
    }

    /** Returns the job types of this node. */
    public HandlerRegistry registry() {
        return registry;
    }

    /** Returns the entrance for new jobs. */
    public Intake intake() {
        return intake;
    }

    /** Returns the publisher of this node's events. */
    public EventPublisher events() {
        return events;
    }

    /** Returns the numbered events of this node. */
    public EventSource eventSource() {
        return publication;
    }

    /** Returns all worker groups of this node. */
    public List<WorkerGroup> groups() {
        return groups.all();
    }

    /** Returns the worker group with this name; throws {@link IllegalArgumentException} if there is none. */
    public WorkerGroup group(String name) {
        return groups.get(name);
    }

    /** Returns the source of time, randomness and threads. */
    public Environment env() {
        return env;
    }

    /** Returns how often the clock was set that the store goes by, since this node opened. */
    public long clockJumps() {
        return counters.clockJumps();
    }

    /** Returns the JSON codec for payloads and results. */
    public JsonCodec codec() {
        return codec;
    }
}
