package dev.heddle.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.memory.MemoryCluster;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolClosedException;
import dev.heddle.pool.WrongStateException;
import dev.heddle.simulation.Plan.Fault;
import dev.heddle.store.JobReader;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;

/** Everything in a simulation: the store, the nodes, what happens to them, and what is known of the jobs. */
final class World implements Evidence {

    private static final int CALLS_BETWEEN_CHECKS = 20;

    private final Plan plan;
    private final Scheduler scheduler;
    private final Random random;
    private final MemoryCluster cluster;
    private final MemoryStore observer;
    private final Scheduler.Threads outside;
    private final List<Work> work;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final Map<String, SimulatedNode> joined = new HashMap<>();
    private final Map<String, Long> diedAt = new HashMap<>();
    private final Stories stories = new Stories();
    private final Map<JobId, JobState> ended = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final CommitLog commits = new CommitLog();
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
        this.work = List.copyOf(plan.work());
        for (int i = 0; i < plan.nodes(); i++) {
            nodes.add(newNode());
        }
    }

    Scheduler scheduler() {
        return scheduler;
    }

    List<Work> work() {
        return work;
    }

    @Override
    public JobReader observer() {
        return observer;
    }

    @Override
    public Stories stories() {
        return stories;
    }

    @Override
    public long diedAt(String node) {
        return diedAt.getOrDefault(node, Long.MAX_VALUE);
    }

    long now() {
        return scheduler.now();
    }

    @Override
    public int deaths() {
        return deaths;
    }

    /** Errors and lost answers, if both can happen, may follow each other until a lease has lapsed. */
    @Override
    public boolean mayLoseNodes() {
        return Stream.of(Fault.CRASH, Fault.PAUSE, Fault.PARTITION, Fault.SLOW_STORE).anyMatch(plan::has)
                || (plan.has(Fault.ERROR) && plan.has(Fault.LOST_REPLY)) || work.contains(Work.KILLER);
    }

    @Override
    public boolean mayClose() {
        return plan.has(Fault.RESTART);
    }

    @Override
    public boolean mayStandStill() {
        return plan.has(Fault.PAUSE);
    }

    List<String> violations() {
        return violations;
    }

    CommitLog commits() {
        return commits;
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
            ended(node);
            deaths++;
            replace(node, Duration.ofMillis(upTo(20_000)));
        }
    }

    /** The threads of a node never run again. */
    void ended(SimulatedNode node) {
        node.process().kill();
        diedAt.put(node.name(), now());
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
            List<Fault> faults = List.copyOf(plan.faults());
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
        Work chosen = work.get(random.nextInt(work.size()));
        Workload workload = chosen.workload();
        int behavior = upTo(99);
        JobId id = JobId.next(node.env());
        node.report(id, 0, new Report.Submitted(chosen, behavior));
        boolean repeats = random.nextBoolean();
        node.start("client", () -> {
            for (int tries = 0; tries < (repeats ? 3 : 1); tries++) {
                try {
                    JobId stored = pool.submit(workload.with(workload.type().with(behavior), behavior).id(id)).id();
                    if (stored.equals(id)) {
                        node.report(id, 0, new Report.Acknowledged());
                    }
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
        List<Story> known = List.copyOf(stories.all());
        if (pool == null || known.isEmpty()) {
            return;
        }
        Story story = known.get(random.nextInt(known.size()));
        node.report(story.id(), 0, new Report.Ordered(Report.Order.CANCEL));
        node.start("canceller", () -> {
            try {
                pool.job(story.id(), story.workload().type()).cancel("enough");
                note("cancelled " + story.number());
            } catch (StoreException | PoolClosedException | NoSuchJobException | WrongStateException e) {
                note("not cancelled " + story.number());
            }
        });
    }

    /** Ids differ with every change of the code, but the order of submits does not. */
    private int number(JobId id) {
        return stories.find(id).map(Story::number).orElse(0);
    }

    /** Adds to what is known of a job, and checks it. */
    void report(Report report) {
        Story story = stories.add(report).orElse(null);
        note(number(report.job()) + "." + report.attempt() + " on " + report.node() + ": " + report.event());
        if (story == null) {
            violated("job " + report.job() + " runs and was never submitted");
            return;
        }
        StoryRules.wrong(story, this).forEach(what -> violated(story + " " + what));
        story.workload().wrongSoFar(story).ifPresent(what -> violated(story + " " + what));
    }

    // What must be true

    /** Called after every call of the store: an end is final. Looks now and then, because there are many jobs. */
    void changed() {
        if (++calls % CALLS_BETWEEN_CHECKS != 0) {
            return;
        }
        work.forEach(each -> each.workload().wrongNow(this).forEach(this::violated));
        for (Story story : stories.all()) {
            JobState before = ended.get(story.id());
            if (before != null) {
                JobState now = observer.find(story.id()).map(Job::state).orElse(null);
                if (now != before) {
                    violated(story + " was " + before + " and is " + now);
                }
            } else {
                observer.find(story.id()).map(Job::state).filter(JobState::isFinal)
                        .ifPresent(state -> ended.put(story.id(), state));
            }
        }
    }

    /** Returns whether the script is over and every job that was acknowledged has ended. */
    boolean isSettled() {
        return played && stories.all().stream().filter(Story::isAcknowledged)
                .allMatch(story -> observer.find(story.id()).map(job -> job.state().isFinal()).orElse(true))
                && nodes.stream().allMatch(SimulatedNode::isUp);
    }

    /** Checks every job after the run. */
    void checkEnd() {
        EndRules.wrong(this).forEach(this::violated);
    }

    /** Returns whether there are no more faults. */
    boolean isCalm() {
        return calm;
    }
}
