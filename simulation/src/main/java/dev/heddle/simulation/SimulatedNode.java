package dev.heddle.simulation;

import java.time.Duration;
import java.util.Objects;

import dev.heddle.job.JobId;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.pool.Staging;
import dev.heddle.store.JobReader;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;

/** One life of a node: from its start until it closes or dies. */
final class SimulatedNode implements Host {

    static final int WORKERS = 3;
    static final Duration LEASE = Duration.ofSeconds(10);

    /** The ways to close a pool. */
    enum Close {
        AT_ONCE, DRAIN, WITHIN
    }

    private final World world;
    private final SimulatedMachine machine;
    private final Scheduler.Threads process;
    private final SimulatedEnvironment env;
    private @Nullable Store store;
    private @Nullable Pool pool;
    private boolean closed;
    private long partitionedUntil;

    SimulatedNode(World world, SimulatedMachine machine, Scheduler.Threads process, SimulatedEnvironment env) {
        this.world = world;
        this.machine = machine;
        this.process = process;
        this.env = env;
    }

    @Override
    public String name() {
        return process.name();
    }

    @Override
    public SimulatedEnvironment env() {
        return env;
    }

    @Override
    public Store store() {
        return Objects.requireNonNull(store, "not connected");
    }

    @Override
    public DetachedRuns runs() {
        return machine;
    }

    @Override
    public JobReader observer() {
        return world.observer();
    }

    @Override
    public void report(JobId job, int attempt, Report.Event event) {
        world.report(new Report(job, attempt, name(), world.now(), event));
    }

    @Override
    public void die() {
        world.crash(this);
    }

    SimulatedMachine machine() {
        return machine;
    }

    Scheduler.Threads process() {
        return process;
    }

    /** Starts a thread of this node, which dies with it. */
    void start(String thread, Runnable task) {
        env.start(thread, () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                world.violated("thread " + thread + " of " + name() + " threw " + e);
            }
        });
    }

    /** Opens the pool, again and again until the store can be reached. */
    void open() {
        start("main", () -> {
            while (pool == null) {
                try {
                    pool = builder().open();
                } catch (StoreException e) {
                    world.sleep(Duration.ofSeconds(1));
                }
            }
        });
    }

    private PoolBuilder builder() {
        store = world.connect(this);
        PoolBuilder builder = Pool.on(store).environment(env).workers(WORKERS).lease(LEASE)
                .renewEvery(Duration.ofSeconds(3)).retry(RetryPolicy.linear(3, Duration.ofSeconds(1)))
                .staging(Staging.none()).maxCrashes(3).closeTimeout(Duration.ofSeconds(2));
        world.plan().pollEvery().ifPresent(builder::pollEvery);
        world.plan().work().forEach(work -> work.workload().register(builder, this));
        return builder;
    }

    /** Returns the pool if jobs can be submitted to it. */
    @Nullable Pool pool() {
        return isUp() ? pool : null;
    }

    boolean isUp() {
        return pool != null && !closed && !process.isDead();
    }

    /** Closes the pool, and ends the process a while later. */
    void close(Close way) {
        closed = true;
        start("closer", () -> {
            if (pool != null) {
                switch (way) {
                    case AT_ONCE -> pool.close();
                    case DRAIN -> pool.drain(Duration.ofSeconds(5));
                    case WITHIN -> pool.closeWithin(Duration.ofSeconds(4));
                }
            }
            // Long enough for calls of the store that had begun before.
            world.sleep(Duration.ofSeconds(10));
            world.closed(this);
        });
    }

    void partition(Duration time) {
        partitionedUntil = world.now() + time.toNanos();
    }

    void heal() {
        partitionedUntil = 0;
        process.resume();
    }

    boolean isPartitioned() {
        return world.now() < partitionedUntil;
    }
}
