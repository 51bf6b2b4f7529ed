package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.heddle.job.Job;
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.Claimed;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.SessionStore;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.Store;
import dev.heddle.worker.WorkerEvent;
import dev.heddle.worker.Workforce;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running parts of a pool and how they hang together; opens and closes them in the right order. */
final class Node implements Engine, Membership.Ears {

    private static final Logger LOG = LoggerFactory.getLogger(Pool.class);
    /** For a thread that is told to end and may be in the middle of a call to the store. */
    private static final Duration LAST_CALL = Duration.ofSeconds(2);

    private final Store store;
    private final Tenure tenure;
    private final PoolSettings settings;
    private final InstantSource clock;
    private final Codec codec;
    private final Meter meter = new Meter();
    private final Waiters waiters = new Waiters();
    private final Observers observers = new Observers();
    private final Demand demand;
    private final Registry registry;
    private final InFlight inFlight;
    private final Lease lease;
    private final Ledger ledger;
    private final Watchdog watchdog;
    private final Aftermath aftermath;
    private final Runner runner;
    private final Intake intake;
    private final Sequels sequels;
    private final Dispatcher dispatcher;
    private @Nullable SessionDesk sessionDesk;
    private final SessionKeeper sessionKeeper;
    private final Pruner pruner;
    private final Recall recall;
    private final Adoption adoption;
    private final Presence presence;
    private final Membership membership;
    private final Lookout lookout;
    private final List<WorkerGroup> groups = new ArrayList<>();
    private final ExecutorService helper = Executors
            .newCachedThreadPool(Thread.ofPlatform().daemon().name("heddle-intake-", 0).factory());
    private final Threads threads = new Threads();
    private final Closing closing;

    private Node(Parts parts, Tenure tenure) {
        String name = NodeName.next();
        this.store = parts.store();
        this.tenure = tenure;
        this.settings = parts.settings();
        InstantSource source = parts.clock();
        // Stores keep milliseconds; so does everything that is compared with what they kept.
        this.clock = source instanceof SteerableClock ? source
                : () -> source.instant().truncatedTo(ChronoUnit.MILLIS);
        this.codec = new Codec(parts.mapper());
        this.demand = new Demand(clock);
        this.registry = new Registry(parts.registrations(), settings, parts.gates(), clock, demand::work);
        this.inFlight = new InFlight(registry, demand);
        this.lease = new Lease(settings.liveness().lease(), settings.liveness().usable(settings.stopping()));
        this.ledger = new Ledger(store, clock, demand::room);
        this.watchdog = new Watchdog(clock, settings.stopping(), lease, this::giveUp, this::lapsed);
        this.aftermath = new Aftermath(registry, meter, waiters, observers, parts.listeners(), demand,
                inFlight);
        this.runner = new Runner(this, registry, watchdog, aftermath, lease);
        this.intake = new Intake(store, clock, new Enrolment(settings, codec), registry,
                new Arrivals(registry, meter, observers, demand), helper);
        this.sequels = new Sequels(parts.sequels(), intake);
        Stream.concat(Stream.of(PoolSettings.DEFAULT_GROUP), settings.groupNames().stream())
                .forEach(group -> groups.add(new WorkerGroup(plan(group, parts), runner, news())));
        this.dispatcher = new Dispatcher(this::claim, clock, demand, inFlight, registry, List.copyOf(groups),
                ahead(), settings.claiming());
        this.sessionKeeper = new SessionKeeper(sessionDesk, sessionLines(), clock);
        this.pruner = new Pruner(store, clock, settings.retention());
        this.lookout = new Lookout(store, waiters, lease);
        this.recall = new Recall(List.copyOf(groups), runner, watchdog);
        this.closing = new Closing(dispatcher, recall, ledger, threads, settings.stopping());
        this.adoption = new Adoption(store, parts.custodian(), registry, inFlight, List.copyOf(groups));
        this.presence = new Presence(name, store, clock, settings, codec, recall, inFlight, ledger, demand,
                this::buried, adoption);
        this.membership = new Membership(store, clock, settings.liveness().renewEvery(), lease, inFlight,
                demand,
                presence, this);
    }

    private Dispatcher.Ahead ahead() {
        return new Dispatcher.Ahead() {
            @Override
            public int most() {
                return Math.min(settings.claiming().ahead(), inFlight.endedLately());
            }

            @Override
            public int unsettled() {
                return ledger.unsettledEnds();
            }
        };
    }

    /** There is a new moment at which the lease could lapse, and the store is known to be shared. */
    @Override
    public void renewed() {
        watchdog.wake();
        lookout.wake();
    }

    /** Jobs may have ended that nobody here ran or cancelled: children, with their parent. */
    @Override
    public void changed() {
        intake.roomMade();
        lookout.lookNow();
        if (sessionDesk != null) {
            sessionDesk.doubt();
        }
    }

    private void lapsed() {
        presence.lapsed();
    }

    private WorkerGroup.Plan plan(String group, Parts parts) {
        boolean nonIdempotent = registry.in(group).anyMatch(type -> !type.type().isIdempotent());
        SessionDesk sessions = sessions(group);
        Workforce own = parts.workforces().get(group);
        return own == null
                ? new WorkerGroup.Plan(group, new ThreadWorkforce(group, clock),
                        settings.virtual(settings.workersOf(group)), sessions == null, nonIdempotent,
                        sessions)
                : new WorkerGroup.Plan(group, own, false, false, nonIdempotent, sessions);
    }

    private @Nullable SessionDesk sessions(String group) {
        if (registry.in(group).noneMatch(type -> type.type().affinity().isPresent())) {
            return null;
        }
        if (!(store instanceof SessionStore sessions)) {
            throw new IllegalArgumentException(store.getClass().getSimpleName()
                    + " keeps no sessions; types with an affinity need a store that does");
        }
        if (sessionDesk == null) {
            sessionDesk = new SessionDesk(sessions, registry, clock, this::id);
        }
        return sessionDesk;
    }

    /** Ends a session, here or on another node; says whether there was one. */
    boolean dropSession(String session) {
        boolean dropped;
        if (sessionDesk != null) {
            List<Binding> bindings = sessionDesk.drop(session);
            sessionLines().forEach(lines -> lines.dropped(session, bindings));
            dropped = !bindings.isEmpty();
        } else {
            dropped = store instanceof SessionStore sessions
                    && !sessions.release(new SessionStore.Release.One(session), now()).isEmpty();
        }
        demand.work();
        return dropped;
    }

    /** The lines before workers that have sessions. */
    List<SessionLines> sessionLines() {
        return groups.stream().flatMap(group -> group.sessions().stream()).toList();
    }

    private WorkerGroup.News news() {
        return new WorkerGroup.News() {
            @Override
            public void freed() {
                demand.room();
            }

            @Override
            public void joined() {
                demand.work();
            }

            @Override
            public void happened(WorkerEvent event) {
                observers.tell(() -> new PoolEvent.OfWorker(event));
            }
        };
    }

    static Node open(Parts parts) {
        Tenure tenure = Tenure.of(parts.store());
        try {
            return join(new Node(parts, tenure));
        } catch (RuntimeException e) {
            tenure.close();
            throw e;
        }
    }

    private static Node join(Node node) {
        try {
            node.membership.join();
            node.meter.queued(node.store.tally().in(JobState.QUEUED));
            for (WorkerGroup group : node.groups) {
                group.open(node.id(), node.settings.workersOf(group.name()));
            }
        } catch (RuntimeException e) {
            node.groups.forEach(WorkerGroup::close);
            throw e;
        }
        node.threads.start("ledger", node.ledger);
        node.threads.start("watchdog", node.watchdog);
        node.threads.start("pruner", node.pruner);
        node.threads.start("membership", node.membership);
        node.threads.start("lookout", node.lookout);
        node.threads.start("sessions", node.sessionKeeper);
        node.threads.start("dispatcher", node.dispatcher);
        LOG.atInfo().addKeyValue("node", node.id()).addKeyValue("workers", node.settings.workers())
                .log("Pool {} open: {} workers, job types: {}", node.id(), node.settings.workers(),
                        node.registry.names());
        return node;
    }

    private Claimed claim(Instant now, int limit, List<Wanted> wanted) {
        Claimed claimed = store.claim(new ClaimRequest(id(), now, limit, wanted));
        meter.queued(claimed.promoted() - claimed.jobs().size());
        if (!claimed.jobs().isEmpty()) {
            intake.roomMade();
        }
        return claimed;
    }

    /** One type more. */
    <P, R> void handle(JobType<P, R> type, Handling<P, R> handling) {
        Registration<P, R> registration = new Registration<>(type, handling, settings);
        group(registration.group());
        registry.introduce(registration);
        // What runs already gets a worker before anything new does.
        membership.adopt();
        registry.add(registration);
        demand.work();
    }

    void then(String type, Sequel sequel) {
        sequels.put(type, sequel);
    }

    @Override
    public List<NewJob> sequel(Job ended) {
        return sequels.with(ended);
    }

    /** Crashes have killed it once too often. */
    private void buried(Job dead) {
        aftermath.mourn(dead);
        sequels.submit(dead);
    }

    private void giveUp(AttemptRun run) {
        runner.giveUp(run);
        group(run.registration().group()).replace(run.worker());
    }

    /** Lets a worker go: at once, giving back what it runs, or once that has ended. */
    boolean dismiss(String worker, boolean atOnce) {
        boolean found = groups.stream().anyMatch(group -> group.shrink(worker));
        if (found && atOnce) {
            watchdog.stopWorker(worker);
        }
        return found;
    }

    Lookout lookout() {
        return lookout;
    }

    Consequences consequences() {
        return new Consequences(store, recall, intake, waiters, observers, demand);
    }

    Idleness idleness() {
        return new Idleness(store, ledger, List.copyOf(groups));
    }

    PoolStats stats(long queued) {
        return meter.read(groups.stream().mapToInt(WorkerGroup::size).sum(),
                groups.stream().mapToInt(WorkerGroup::active).sum(), queued, registry.held().reasons());
    }

    /** Lets what runs finish for so long, then tells it to stop; in time whatever handlers and the store do. */
    ClosingReport close(Duration drain) {
        long began = System.nanoTime();
        LOG.atInfo().addKeyValue("node", id()).log("Pool {} closing", id());
        Departures departures = aftermath.count();
        adoption.close();
        closing.run(drain);
        watchdog.close();
        sessionKeeper.close();
        pruner.close();
        membership.close();
        lookout.close();
        for (String thread : List.of("watchdog", "sessions", "pruner", "membership", "lookout")) {
            threads.join(thread, LAST_CALL);
        }
        helper.shutdown();
        waiters.close();
        tenure.end(threads);
        // Not before: what ends until here is counted.
        ClosingReport report = departures.report(inFlight.fences().size(),
                Duration.ofNanos(System.nanoTime() - began));
        LOG.atInfo().addKeyValue("node", id()).addKeyValue("report", report).log("Pool {} closed: {}", id(),
                report.summary());
        return report;
    }

    /** Ends a drain that is under way. */
    void hurry() {
        closing.hurry();
    }

    RecoveryReport opening() {
        return presence.opening();
    }

    String id() {
        return presence.id();
    }

    InstantSource clock() {
        return clock;
    }

    Demand demand() {
        return demand;
    }

    Registry registry() {
        return registry;
    }

    Intake intake() {
        return intake;
    }

    Observers observers() {
        return observers;
    }

    List<WorkerGroup> groups() {
        return groups;
    }

    WorkerGroup group(String name) {
        return groups.stream().filter(group -> group.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no worker group '" + name + "'; there are: "
                        + String.join(", ", groups.stream().map(WorkerGroup::name).toList())));
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public Codec codec() {
        return codec;
    }

    @Override
    public String storable(String json, String what) {
        return intake.storable(json, what);
    }

    @Override
    public void tell(Supplier<PoolEvent> happened) {
        observers.tell(happened);
    }

    @Override
    public JobCancelledException stopped(AttemptRun run, Stop cause, String reason) {
        watchdog.stop(run, cause, reason);
        return new JobCancelledException(reason);
    }

    @Override
    public boolean reserve(AttemptRun run) {
        return adoption.reserve(run);
    }

    @Override
    public Optional<JobId> spawn(JobRequest<?, ?> child, Fence attempt) {
        return intake.spawn(child, attempt);
    }

    @Override
    public NewJob enrol(JobRequest<?, ?> child) {
        return intake.enrol(child);
    }
}
