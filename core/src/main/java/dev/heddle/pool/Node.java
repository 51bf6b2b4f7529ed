package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.heddle.job.Job;
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.Bell;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.Claimed;
import dev.heddle.store.Fence;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Recovery;
import dev.heddle.store.Renewal;
import dev.heddle.store.Ruling;
import dev.heddle.store.Store;
import dev.heddle.store.Tally;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running parts of a pool and how they hang together; opens and closes them in the right order. */
final class Node implements Engine, Bell, Membership.Member {

    private static final Logger LOG = LoggerFactory.getLogger(Pool.class);

    /** The name of this opening; what it is called in the store has a number behind it once it had to come back. */
    private final String name;
    private volatile String id;
    private int lives = 1;
    private final Store store;
    private final PoolSettings settings;
    private final InstantSource clock;
    private final Instant joinedAt;
    private final Codec codec;
    private final Meter meter = new Meter();
    private final Waiters waiters = new Waiters();
    private final Demand demand;
    private final Registry registry;
    private final InFlight inFlight;
    private final Lease lease;
    private final Ledger ledger;
    private final Watchdog watchdog;
    private final Aftermath aftermath;
    private final Runner runner;
    private final Intake intake;
    private final Dispatcher dispatcher;
    private final Pruner pruner;
    private final Membership membership;
    private final Lookout lookout;
    private final List<WorkerGroup> groups = new ArrayList<>();
    private final ExecutorService helper = Executors
            .newCachedThreadPool(Thread.ofPlatform().daemon().name("heddle-intake-", 0).factory());
    private final List<Thread> threads = new ArrayList<>();

    private Node(Parts parts) {
        this.name = NodeName.next();
        this.id = name;
        this.store = parts.store();
        this.settings = parts.settings();
        InstantSource source = parts.clock();
        // Stores keep milliseconds; so does everything that is compared with what they kept.
        this.clock = source instanceof SteerableClock ? source
                : () -> source.instant().truncatedTo(ChronoUnit.MILLIS);
        this.joinedAt = clock.instant();
        this.codec = new Codec(parts.mapper());
        this.demand = new Demand(clock);
        this.registry = new Registry(parts.registrations(), settings, clock, demand::work);
        this.inFlight = new InFlight(registry, demand);
        this.lease = new Lease(settings.liveness().usable(settings.stopping()));
        this.ledger = new Ledger(store, clock);
        this.watchdog = new Watchdog(clock, settings.stopping(), lease, this::giveUp, this::lapsed);
        this.aftermath = new Aftermath(registry, meter, waiters, parts.listeners(), demand, inFlight);
        this.runner = new Runner(this, registry, watchdog, aftermath, lease);
        this.intake = new Intake(store, clock, settings, codec, registry, meter, demand, helper);
        Stream.concat(Stream.of(PoolSettings.DEFAULT_GROUP), settings.groupNames().stream())
                .forEach(
                        group -> groups.add(new WorkerGroup(plan(group), name, clock, runner, demand::room)));
        this.dispatcher = new Dispatcher(this::claim, clock, demand, inFlight, registry, List.copyOf(groups),
                () -> Math.min(settings.claimAhead(), inFlight.endedLately()) - ledger.unsettledEnds());
        this.pruner = new Pruner(store, clock, settings.retention());
        this.membership = new Membership(store, clock, lease, settings.liveness().renewEvery(), inFlight,
                this);
        this.lookout = new Lookout(store, waiters, lease);
    }

    private WorkerGroup.Plan plan(String group) {
        int count = settings.workersOf(group);
        boolean nonIdempotent = registry.in(group).anyMatch(type -> !type.type().isIdempotent());
        return new WorkerGroup.Plan(group, count, settings.virtual(count), nonIdempotent);
    }

    /** Recovery comes before new work. */
    static Node open(Parts parts) {
        Node node = new Node(parts);
        try {
            node.store.join(node.record(node.joinedAt), node);
            node.recover();
            node.meter.queued(node.store.tally().in(JobState.QUEUED));
        } catch (RuntimeException e) {
            node.store.close();
            throw e;
        }
        node.start("heddle-ledger", node.ledger);
        node.start("heddle-watchdog", node.watchdog);
        node.start("heddle-pruner", node.pruner);
        node.start("heddle-membership", node.membership);
        node.start("heddle-lookout", node.lookout);
        node.start("heddle-dispatcher", node.dispatcher);
        LOG.atInfo().addKeyValue("node", node.id).addKeyValue("workers", node.settings.workers())
                .log("Pool {} open: {} workers, job types: {}", node.id, node.settings.workers(),
                        node.registry.names());
        return node;
    }

    private void recover() {
        List<Recovery> recoveries = store.recover(id, new RecoveryRules(settings.maxCrashes()),
                clock.instant());
        if (recoveries.isEmpty()) {
            return;
        }
        LOG.atInfo().addKeyValue("jobs", recoveries.size()).log("Recovered {} jobs that a dead node held",
                recoveries.size());
        for (Recovery recovery : recoveries) {
            if (recovery.transition() instanceof Transition.Die(String reason)) {
                JobId dead = recovery.orphan().job().id();
                LOG.atError().addKeyValue("job", dead).log("{} | job:{}", reason, dead);
                store.find(dead).ifPresent(aftermath::mourn);
            }
        }
    }

    private void start(String name, Runnable task) {
        threads.add(Thread.ofPlatform().daemon().name(name).start(task));
    }

    private Claimed claim(Instant now, int limit, List<Wanted> wanted) {
        Claimed claimed = store.claim(new ClaimRequest(id, now, limit, wanted));
        meter.queued(claimed.promoted() - claimed.jobs().size());
        if (!claimed.jobs().isEmpty()) {
            intake.roomMade();
        }
        return claimed;
    }

    @Override
    public NodeRecord record(Instant now) {
        var workers = groups.stream().flatMap(group -> group.snapshots().stream()).toList();
        return new NodeRecord(id, joinedAt, now, settings.liveness().lease(),
                codec.write(workers, "workers of node " + id));
    }

    @Override
    public void work() {
        demand.work();
    }

    @Override
    public void changed() {
        membership.ask();
    }

    @Override
    public void set(Reconciliation differences) {
        watchdog.wake();
        lookout.wake();
        for (Renewal.Held attempt : differences.unknown()) {
            LOG.atWarn().addKeyValue("job", attempt.fence().seq()).log(
                    "A claim never got here and goes back: job number {}, attempt {}", attempt.fence().seq(),
                    attempt.fence().attempt());
            ledger.post(
                    new Change.HandedBack(attempt.fence(), "its claim never reached the node",
                            clock.instant()),
                    _ -> demand.work());
        }
        for (Renewal.Held attempt : differences.cancelled()) {
            stop(attempt.fence(), Stop.CANCEL, Objects.requireNonNullElse(attempt.reason(), "cancelled"));
        }
        for (Fence fence : differences.lost()) {
            stop(fence, Stop.LOST, "the job is no longer this attempt's");
        }
    }

    private void stop(Fence fence, Stop cause, String reason) {
        groups.forEach(group -> group.withdraw(fence).ifPresent(claim -> runner.handBack(claim, reason)));
        watchdog.running().stream().filter(run -> run.fence().equals(fence))
                .forEach(run -> watchdog.stop(run, cause, reason));
    }

    @Override
    public void takeOver(Set<String> expired) {
        LOG.atWarn().addKeyValue("nodes", expired).log("Nodes whose lease has ended: {}",
                String.join(", ", expired));
        recover();
        demand.work();
    }

    @Override
    public void rejoin() {
        String next = name + "." + ++lives;
        LOG.atWarn().addKeyValue("node", id).log(
                "Node {} was declared dead and its jobs were given to others; it stops them and comes back as {}",
                id,
                next);
        stopAll(Stop.LOST, "this node was declared dead");
        id = next;
        store.join(record(clock.instant()), this);
        demand.work();
    }

    private void lapsed() {
        LOG.atWarn().addKeyValue("node", id).log("Node {} stops its {} attempts: {}", id,
                watchdog.running().size(), Lease.LAPSED);
        stopAll(Stop.LAPSED, Lease.LAPSED);
    }

    private void stopAll(Stop cause, String reason) {
        groups.forEach(group -> group.withdrawAll().forEach(claim -> runner.handBack(claim, reason)));
        watchdog.running().forEach(run -> watchdog.stop(run, cause, reason));
    }

    private void giveUp(AttemptRun run) {
        runner.giveUp(run);
        group(run.registration().group()).replace(run.worker());
    }

    /** A cancel is committed; whatever this node does for the job has to stop. */
    void cancelled(JobId job, Ruling ruling, String reason) {
        if (ruling instanceof Ruling.StillRunning(var fence)) {
            stop(fence, Stop.CANCEL, reason);
        }
        intake.roomMade();
        store.find(job).filter(found -> found.state().isFinal()).ifPresent(waiters::ended);
    }

    CompletableFuture<Job> ending(JobId job) {
        CompletableFuture<Job> future = waiters.join(job);
        // Joined first, looked second: an end in between is not missed.
        Job now = store.find(job).orElse(null);
        if (now == null) {
            future.completeExceptionally(new NoSuchJobException(job));
        } else if (now.state().isFinal()) {
            waiters.ended(now);
            future.complete(now);
        } else {
            lookout.wake();
        }
        return future;
    }

    boolean awaitIdle(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (long pause = 5;; pause = Math.min(pause * 2, 200)) {
            Duration left = Duration.ofNanos(deadline - System.nanoTime());
            for (WorkerGroup group : groups) {
                if (!group.awaitIdle(left)) {
                    return false;
                }
            }
            if (ledger.unsettledEnds() == 0 && store.tally().count(Node::isMoving) == 0) {
                return true;
            }
            if (left.toMillis() <= 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(Math.min(pause, left.toMillis()));
        }
    }

    private static boolean isMoving(Tally.Line line) {
        return line.state() != JobState.PAUSED;
    }

    PoolStats stats(long queued) {
        return meter.read(groups.stream().mapToInt(WorkerGroup::size).sum(),
                groups.stream().mapToInt(WorkerGroup::active).sum(), queued);
    }

    void close() {
        LOG.atInfo().addKeyValue("node", id).log("Pool {} closing", id);
        dispatcher.close();
        join("heddle-dispatcher", settings.stopping().closing());
        groups.forEach(group -> group.close().forEach(claim -> runner.handBack(claim, "closing")));
        watchdog.running().forEach(run -> watchdog.stop(run, Stop.CLOSING, "closing"));
        Duration longest = settings.stopping().closing().plus(settings.stopping().abandonAfter())
                .plusSeconds(5);
        groups.forEach(group -> awaitEmpty(group, longest));
        ledger.close();
        if (!join("heddle-ledger", settings.stopping().closing())) {
            ledger.giveUp();
            join("heddle-ledger", settings.stopping().closing());
        }
        watchdog.close();
        pruner.close();
        membership.close();
        lookout.close();
        for (String thread : List.of("watchdog", "pruner", "membership", "lookout")) {
            join("heddle-" + thread, settings.stopping().closing());
        }
        helper.shutdown();
        waiters.close();
        store.close();
        LOG.atInfo().addKeyValue("node", id).log("Pool {} closed", id);
    }

    private static void awaitEmpty(WorkerGroup group, Duration longest) {
        try {
            if (!group.awaitEmpty(longest)) {
                LOG.warn("{} workers of group {} did not stop within {}", group.size(), group.name(),
                        longest);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean join(String name, Duration longest) {
        try {
            for (Thread thread : threads) {
                if (thread.getName().equals(name)) {
                    return thread.join(longest);
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    String id() {
        return id;
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
    public JobCancelledException stopped(AttemptRun run, Stop cause, String reason) {
        watchdog.stop(run, cause, reason);
        return new JobCancelledException(reason);
    }

    @Override
    public <P, R> JobId spawn(JobRequest<P, R> child) {
        return intake.spawn(child);
    }
}
