package dev.heddle.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.memory.MemoryStore;
import dev.heddle.simulation.Plan.Fault;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;
import org.jspecify.annotations.Nullable;

/** Everything in a simulation: the store, the nodes, what happens to them, and what is known of the jobs. */
final class World implements Evidence {

    private final Plan plan;
    private final Scheduler scheduler;
    private final Random random;
    private final SimulatedStore store;
    private final Scheduler.Threads outside;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final Map<String, SimulatedNode> joined = new HashMap<>();
    private final Map<String, Long> diedAt = new HashMap<>();
    private final Stories stories = new Stories();
    private final CommitRules commitRules = new CommitRules(this);
    private final KeyRules keyRules = new KeyRules();
    private final List<String> violations = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final CommitLog commits = new CommitLog();
    private boolean calm;
    private int deaths;
    private int lives;

    World(Plan plan) {
        this.plan = plan;
        this.scheduler = new Scheduler(plan.seed());
        this.random = new Random(plan.seed() * 31 + 7);
        this.outside = scheduler.newProcess("outside");
        this.store = SimulatedStore.of(plan.sharing(),
                new SimulatedEnvironment(scheduler, outside, plan.seed() + 1, () -> Duration.ZERO), this::deliver);
        plan.work().forEach(work -> work.workload().prepare(store.observer()));
        for (int i = 1; i <= plan.nodes(); i++) {
            nodes.add(newNode(new SimulatedMachine(this, "machine-" + i, skew())));
        }
    }

    Scheduler scheduler() {
        return scheduler;
    }

    Plan plan() {
        return plan;
    }

    List<SimulatedNode> nodes() {
        return nodes;
    }

    @Override
    public MemoryStore observer() {
        return store.observer();
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

    @Override
    public boolean mayLoseNodes() {
        return mayDieByChance() || plan.work().contains(Work.KILLER);
    }

    /** Errors and lost answers, if both can happen, may follow each other until a lease has lapsed. */
    @Override
    public boolean mayDieByChance() {
        return Stream.of(Fault.CRASH, Fault.PAUSE, Fault.PARTITION, Fault.SLOW_STORE).anyMatch(plan::has)
                || (plan.has(Fault.ERROR) && plan.has(Fault.LOST_REPLY));
    }

    @Override
    public boolean mayClose() {
        return plan.has(Fault.RESTART);
    }

    @Override
    public int mostWorkers() {
        return 2 * plan.nodes() * SimulatedNode.WORKERS;
    }

    @Override
    public boolean mayMissWhatOthersDid() {
        return Stream.of(Fault.ERROR, Fault.LOST_REPLY, Fault.PARTITION, Fault.PAUSE, Fault.CLOCK)
                .anyMatch(plan::has);
    }

    @Override
    public boolean isSingle() {
        return plan.sharing() == Plan.Sharing.SINGLE;
    }

    /** The only node of a store has no lease to lose. */
    @Override
    public boolean mayStandStill() {
        return plan.has(Fault.PAUSE) && !isSingle();
    }

    @Override
    public boolean mayMisjudgeTime() {
        return plan.has(Fault.CLOCK);
    }

    @Override
    public boolean mayHang() {
        return plan.has(Fault.SLOW_STORE) || plan.has(Fault.PAUSE);
    }

    /** Returns whether a node with this id in the store lives and is open. */
    boolean isUp(String id) {
        SimulatedNode node = joined.get(id);
        return node != null && node.isUp();
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

    private Duration skew() {
        return plan.has(Fault.CLOCK) ? Duration.ofSeconds(upTo(7_200) - 3_600L) : Duration.ZERO;
    }

    private SimulatedNode newNode(SimulatedMachine machine) {
        Scheduler.Threads process = scheduler.newProcess("node-" + ++lives);
        return new SimulatedNode(this, machine, process,
                new SimulatedEnvironment(scheduler, process, plan.seed() * 1_000 + lives, machine::skew));
    }

    Store connect(SimulatedNode node) {
        return FaultyStore.connect(store.connect(node), node, this);
    }

    void joined(String id, SimulatedNode node) {
        joined.put(id, node);
    }

    /** Lets a call of the store take some time, for a thread of this process. */
    void delayCall(Scheduler.Threads process) {
        scheduler.pass(1_000L * (1 + upTo(2_000)), process);
        if (chance(Fault.SLOW_STORE, 10)) {
            sleep(Duration.ofMillis(upTo(4_000)));
        }
    }

    private void deliver(String node, Runnable notification) {
        SimulatedNode target = joined.get(node);
        if (target != null) {
            deliver(target, notification);
        }
    }

    /** Notifies a node, perhaps late or never. */
    void deliver(SimulatedNode target, Runnable notification) {
        if (!target.process().isDead() && !chance(Fault.LOST_NOTIFICATION, 3)) {
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

    /** Called when a node has closed. */
    void closed(SimulatedNode node) {
        if (!node.process().isDead()) {
            note(node.name() + " has closed");
            ClosingRules.wrong(node.name(), this).forEach(this::violated);
            ended(node);
        }
    }

    /** Starts another node on the machine of one that has ended, or is about to. */
    void replace(SimulatedNode node, Duration after) {
        SimulatedNode next = newNode(node.machine());
        nodes.set(nodes.indexOf(node), next);
        scheduler.at(now() + after.toNanos(), next::open);
    }

    // What happens

    /** Starts everything; returns at once. */
    void begin() {
        nodes.forEach(SimulatedNode::open);
        Thread script = outside.newThread("script", () -> {
            new Script(this, plan, random).play();
            calm = true;
            nodes.forEach(SimulatedNode::heal);
            note("calm");
        });
        script.start();
    }

    /** Lets everything go on that clients hold back. What they have begun before the calm may still be executed. */
    void release() {
        MemoryStore observer = store.observer();
        Instant now = Instant.EPOCH.plusNanos(now());
        if (!observer.countJobs().pausedQueues().isEmpty()) {
            observer.execute(new AdminCommand.ResumeQueue(Order.QUEUE, "calm", now));
        }
        observer.list(JobQuery.all().states(JobState.PAUSED))
                .forEach(job -> observer.execute(new AdminCommand.Resume(job.id(), "calm", now)));
        plan.work().forEach(work -> work.workload().release(observer));
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
        story.workload().wrongSoFar(story, this).ifPresent(what -> violated(story + " " + what));
    }

    // What must be true

    /** Called after every call of the store. */
    void committed(Object[] arguments, @Nullable Object result) {
        commitRules.wrong(arguments, result).forEach(this::violated);
        keyRules.wrong(arguments, result).forEach(this::violated);
    }

    /** Returns whether there are no more faults, every job that was acknowledged has ended, and nothing is left over. */
    boolean isSettled() {
        return calm && stories.all().stream().filter(Story::isAcknowledged)
                .allMatch(story -> observer().find(story.id()).map(job -> job.state().isFinal()).orElse(true))
                && nodes.stream().allMatch(SimulatedNode::isUp) && Leftovers.of(this).isEmpty();
    }

    /** Checks every job after the run. */
    void checkEnd() {
        EndRules.wrong(plan.work(), this).forEach(this::violated);
        Leftovers.of(this).forEach(this::violated);
    }

    /** Returns whether there are no more faults. */
    boolean isCalm() {
        return calm;
    }
}
