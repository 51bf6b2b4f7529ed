package dev.heddle.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.heddle.job.Job;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.memory.MemoryCluster;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolClosedException;
import dev.heddle.pool.WrongStateException;
import dev.heddle.simulation.Plan.Fault;
import dev.heddle.store.JobDetails;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;

/** Everything in a simulation: the store, the nodes, what happens to them, and what is known of the jobs. */
final class World {

    private static final int CALLS_BETWEEN_CHECKS = 20;

    private final Plan plan;
    private final Scheduler scheduler;
    private final Random random;
    private final MemoryCluster cluster;
    private final MemoryStore observer;
    private final Scheduler.Threads outside;
    private final List<Workload> workloads;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final Map<String, SimulatedNode> joined = new HashMap<>();
    private final Map<JobId, Story> stories = new LinkedHashMap<>();
    private final Map<JobId, JobState> ended = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private long calls;
    private boolean calm;
    private int deaths;
    private int lives;
    private boolean played;

    World(Plan plan) {
        this.plan = plan;
        this.scheduler = new Scheduler(plan.seed());
        this.random = new Random(plan.seed() * 31 + 7);
        this.outside = scheduler.newProcess("outside");
        SimulatedEnvironment server = new SimulatedEnvironment(scheduler, outside, plan.seed() + 1, Duration.ZERO);
        this.cluster = new MemoryCluster(server, this::deliver);
        this.observer = cluster.connect();
        this.workloads = plan.work().stream().sorted().map(work -> work.in(this)).toList();
        for (int i = 0; i < plan.nodes(); i++) {
            nodes.add(newNode());
        }
    }

    Scheduler scheduler() {
        return scheduler;
    }

    List<Workload> workloads() {
        return workloads;
    }

    MemoryStore observer() {
        return observer;
    }

    long now() {
        return scheduler.now();
    }

    int deaths() {
        return deaths;
    }

    List<String> violations() {
        return violations;
    }

    List<String> trace() {
        return trace;
    }

    void note(String event) {
        trace.add(Duration.ofNanos(now()) + " " + event);
        scheduler.mix(event.hashCode());
    }

    void violated(String what) {
        note("VIOLATED " + what);
        violations.add(what);
    }

    void sleep(Duration time) {
        long until = now() + time.toNanos();
        boolean interrupted = false;
        while (now() < until) {
            scheduler.park(until - now());
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private int upTo(int bound) {
        return random.nextInt(bound + 1);
    }

    /** Returns true now and then, if the plan has this fault and faults have not ended. */
    boolean chance(Fault fault, int oneIn) {
        return plan.has(fault) && !calm && random.nextInt(oneIn) == 0;
    }

    // Nodes

    private SimulatedNode newNode() {
        Scheduler.Threads process = scheduler.newProcess("node-" + ++lives);
        Duration skew = plan.has(Fault.CLOCK) ? Duration.ofSeconds(upTo(7_200) - 3_600L) : Duration.ZERO;
        return new SimulatedNode(this, process,
                new SimulatedEnvironment(scheduler, process, plan.seed() * 1_000 + lives, skew));
    }

    Store connect(SimulatedNode node) {
        return FaultyStore.connect(cluster.connect(), node, this);
    }

    void joined(String id, SimulatedNode node) {
        joined.put(id, node);
    }

    void delayCall() {
        scheduler.park(1_000L * (1 + upTo(2_000)));
        if (chance(Fault.SLOW_STORE, 10)) {
            sleep(Duration.ofMillis(upTo(4_000)));
        }
    }

    private void deliver(String node, Runnable notification) {
        SimulatedNode target = joined.get(node);
        if (target != null && !chance(Fault.LOST_NOTIFICATION, 3)) {
            long delay = 1_000L * upTo(plan.has(Fault.LOST_NOTIFICATION) && !calm ? 2_000_000 : 2_000);
            scheduler.at(now() + delay, () -> target.env().start("notification", notification));
        }
    }

    /** A node dies, and another takes its place after a while. */
    void crash(SimulatedNode node) {
        if (!node.process().isDead()) {
            note(node.name() + " dies");
            node.process().kill();
            deaths++;
            replace(node, Duration.ofMillis(upTo(20_000)));
        }
    }

    private void replace(SimulatedNode node, Duration after) {
        SimulatedNode next = newNode();
        nodes.set(nodes.indexOf(node), next);
        scheduler.at(now() + after.toNanos(), next::open);
    }

    // What happens

    /** Starts everything; returns at once. */
    void begin() {
        nodes.forEach(SimulatedNode::open);
        Thread script = outside.newThread("script", () -> {
            for (int i = 0; i < plan.operations() && violations.isEmpty(); i++) {
                sleep(Duration.ofMillis(random.nextInt(8) == 0 ? upTo(15_000) : upTo(400)));
                happen();
            }
            calm = true;
            nodes.forEach(SimulatedNode::heal);
            note("calm");
            played = true;
        });
        script.start();
    }

    private void happen() {
        int choice = random.nextInt(10);
        if (choice < 7 || plan.faults().isEmpty()) {
            if (choice == 0) {
                cancel();
            } else {
                submit();
            }
        } else {
            List<Fault> faults = plan.faults().stream().sorted().toList();
            strike(faults.get(random.nextInt(faults.size())), nodes.get(random.nextInt(nodes.size())));
        }
    }

    private void strike(Fault fault, SimulatedNode node) {
        switch (fault) {
            case CRASH -> crash(node);
            case RESTART -> {
                if (node.isUp()) {
                    note(node.name() + " closes");
                    node.close();
                    replace(node, Duration.ofMillis(upTo(5_000)));
                }
            }
            case PAUSE -> {
                note(node.name() + " stands still");
                node.process().stop();
                scheduler.at(now() + Duration.ofMillis(upTo(30_000)).toNanos(), () -> node.process().resume());
            }
            case PARTITION -> {
                note(node.name() + " is cut off");
                node.partition(Duration.ofMillis(upTo(30_000)));
            }
            case CLOCK -> node.env().setClock(Duration.ofSeconds(upTo(7_200) - 3_600L));
            case SLOW_STORE, ERROR, LOST_REPLY, LOST_NOTIFICATION -> submit();
        }
    }

    private void submit() {
        SimulatedNode node = nodes.get(random.nextInt(nodes.size()));
        Pool pool = node.pool();
        if (pool == null) {
            return;
        }
        Workload workload = workloads.get(random.nextInt(workloads.size()));
        int behavior = upTo(99);
        JobId id = JobId.next(node.env());
        Story story = new Story(id, workload, behavior);
        stories.put(id, story);
        boolean repeats = random.nextBoolean();
        node.start("client", () -> {
            for (int tries = 0; tries < (repeats ? 3 : 1); tries++) {
                try {
                    JobId stored = pool.submit(workload.with(workload.type().with(behavior), behavior).id(id)).id();
                    story.acknowledged = stored.equals(id);
                    note("acknowledged " + number(stored) + " " + workload.type().name() + " " + behavior);
                    return;
                } catch (StoreException | PoolClosedException e) {
                    note("not acknowledged " + number(id));
                }
            }
        });
    }

    private void cancel() {
        SimulatedNode node = nodes.get(random.nextInt(nodes.size()));
        Pool pool = node.pool();
        List<Story> known = List.copyOf(stories.values());
        if (pool == null || known.isEmpty()) {
            return;
        }
        Story story = known.get(random.nextInt(known.size()));
        story.cancelRequested = true;
        node.start("canceller", () -> {
            try {
                pool.job(story.id, story.workload.type()).cancel("enough");
                note("cancelled " + number(story.id));
            } catch (StoreException | PoolClosedException | NoSuchJobException | WrongStateException e) {
                note("not cancelled " + number(story.id));
            }
        });
    }

    /** Ids differ with every change of the code, but the order of submits does not. */
    private int number(JobId id) {
        return List.copyOf(stories.keySet()).indexOf(id) + 1;
    }

    // What handlers do

    /** The handler of a workload. */
    interface Handler {
        @Nullable String handle(Story story, JobContext job) throws Exception;
    }

    /** Runs a handler, and records when it starts and ends. */
    @Nullable String watched(JobContext job, SimulatedNode node, Handler handler) throws Exception {
        Story story = stories.get(job.id());
        if (story == null) {
            violated("job " + job.id() + " runs and was never submitted");
            return null;
        }
        if (!plan.has(Fault.PAUSE)) {
            story.executions.stream().filter(Story.Execution::isRunning).forEach(other -> violated("job "
                    + number(job.id()) + " runs twice at the same time: attempt " + other.attempt + " on "
                    + other.node.name() + " and attempt " + job.attempt() + " on " + node.name()));
        }
        Story.Execution execution = new Story.Execution(job.attempt(), node);
        story.executions.add(execution);
        note("starts " + number(job.id()) + "." + job.attempt() + " on " + node.name());
        try {
            return handler.handle(story, job);
        } finally {
            execution.ended = true;
            note("ends " + number(job.id()) + "." + job.attempt() + " on " + node.name());
        }
    }

    /** Returns whether the store still has this attempt. A node that stood still may not know that it lost it. */
    boolean isCurrent(JobContext job) {
        return observer.find(job.id()).filter(now -> now.counts().attempt() == job.attempt() && !now.state().isFinal())
                .isPresent();
    }

    // What must be true

    /** Called after every call of the store: an end is final. Looks now and then, because there are many jobs. */
    void changed() {
        if (++calls % CALLS_BETWEEN_CHECKS != 0) {
            return;
        }
        workloads.forEach(Workload::check);
        for (Story story : stories.values()) {
            JobState before = ended.get(story.id);
            if (before != null) {
                JobState now = observer.find(story.id).map(Job::state).orElse(null);
                if (now != before) {
                    violated("job " + number(story.id) + " was " + before + " and is " + now);
                }
            } else {
                observer.find(story.id).map(Job::state).filter(JobState::isFinal)
                        .ifPresent(state -> ended.put(story.id, state));
            }
        }
    }

    /** Returns whether the script is over and every job that was acknowledged has ended. */
    boolean isSettled() {
        return played && stories.values().stream().filter(story -> story.acknowledged)
                .allMatch(story -> observer.find(story.id).map(job -> job.state().isFinal()).orElse(true))
                && nodes.stream().allMatch(SimulatedNode::isUp);
    }

    /** Checks every job after the run. */
    void checkEnd() {
        for (Story story : stories.values()) {
            JobDetails details = observer.details(story.id).orElse(null);
            if (details == null) {
                if (story.acknowledged) {
                    violated("job " + number(story.id) + " was acknowledged and is gone");
                }
                continue;
            }
            if (!details.job().state().isFinal()) {
                if (story.acknowledged) {
                    violated("job " + number(story.id) + " (" + story.workload.type().name() + ") is stuck: "
                            + details.job().state());
                }
                continue;
            }
            story.workload.wrong(story, details)
                    .ifPresent(what -> violated("job " + number(story.id) + " (" + story.workload.type().name() + ") "
                            + what));
            long distinct = details.attempts().stream().map(attempt -> attempt.number()).distinct().count();
            if (distinct != details.attempts().size()) {
                violated("job " + number(story.id) + " has an attempt with two results: " + details.attempts());
            }
        }
    }

    /** Returns whether there are no more faults. */
    boolean isCalm() {
        return calm;
    }

    Collection<Story> stories() {
        return stories.values();
    }

    List<SimulatedNode> nodes() {
        return nodes;
    }

}
