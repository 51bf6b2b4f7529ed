package dev.heddle.simulation;

import java.time.Duration;

import dev.heddle.job.JobId;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.pool.Staging;
import dev.heddle.store.JobReader;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;

/** One life of a node: from its start until it closes or dies. */
final class SimulatedNode implements Host {

    static final Duration LEASE = Duration.ofSeconds(10);

    private final World world;
    private final Scheduler.Threads process;
    private final SimulatedEnvironment env;
    private @Nullable Pool pool;
    private boolean closed;
    private long partitionedUntil;

    SimulatedNode(World world, Scheduler.Threads process, SimulatedEnvironment env) {
        this.world = world;
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
        PoolBuilder builder = Pool.on(world.connect(this)).environment(env).workers(3).lease(LEASE)
                .renewEvery(Duration.ofSeconds(3)).retry(RetryPolicy.linear(3, Duration.ofSeconds(1)))
                .staging(Staging.none()).maxCrashes(3).closeTimeout(Duration.ofSeconds(2));
        world.work().forEach(work -> work.workload().register(builder, this));
        return builder;
    }

    /** Returns the pool if jobs can be submitted to it. */
    @Nullable Pool pool() {
        return isUp() ? pool : null;
    }

    boolean isUp() {
        return pool != null && !closed && !process.isDead();
    }

    void close() {
        closed = true;
        start("closer", () -> {
            if (pool != null) {
                pool.close();
            }
            world.ended(this);
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
