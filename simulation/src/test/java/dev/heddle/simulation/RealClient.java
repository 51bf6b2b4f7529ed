package dev.heddle.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolClosedException;
import dev.heddle.pool.WrongStateException;
import dev.heddle.store.StoreException;

/** Threads that submit jobs to a real node, and cancel some of them. */
final class RealClient {

    private static final int BUSY_AFTER = 30;

    private final RealNode node;
    private final Pool pool;
    private final List<Work> work;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private volatile boolean stopped;

    RealClient(RealNode node, Pool pool, List<Work> work) {
        this.node = node;
        this.pool = pool;
        this.work = work;
    }

    /** Starts a thread, which does what the seed says until it is told to stop. */
    void start(long seed) {
        threads.add(Thread.ofPlatform().daemon().name("client-" + threads.size()).start(() -> {
            try {
                run(new Random(seed));
            } catch (PoolClosedException e) {
                // The node closes while this thread has something to ask of it.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
    }

    /** Stops all threads; returns once they have ended. */
    void stop() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void run(Random random) throws InterruptedException {
        List<Story> submitted = new ArrayList<>();
        while (!stopped) {
            Work chosen = work.get(random.nextInt(work.size()));
            if (!submitted.isEmpty() && random.nextInt(12) == 0) {
                cancel(submitted.get(random.nextInt(submitted.size())));
            } else if (random.nextInt(rarity(chosen)) == 0) {
                submitted.add(submit(new Report.Submitted(chosen, behavior(random)), random.nextBoolean()));
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(20, 150));
        }
    }

    /** A killer costs several nodes their lives, and a job that times out keeps a worker for seconds. */
    private static int rarity(Work chosen) {
        return switch (chosen) {
            case KILLER -> 150;
            case TIMEOUT -> 10;
            default -> 1;
        };
    }

    /** The larger the behavior, the longer a job takes: most are short, some take seconds. */
    private static int behavior(Random random) {
        return random.nextInt(8) + (random.nextInt(5) == 0 ? 40 : 0);
    }

    private Story submit(Report.Submitted job, boolean repeats) {
        Workload workload = job.work().workload();
        JobId id = JobId.next(node.env());
        JobRequest<Integer, String> request = workload.with(workload.type().with(job.behavior()), job.behavior())
                .id(id);
        node.report(id, 0, job);
        for (int tries = 0; tries < (repeats ? 3 : 1); tries++) {
            try {
                if (pool.submit(request).id().equals(id)) {
                    node.report(id, 0, new Report.Acknowledged());
                }
                if (acknowledged.incrementAndGet() == BUSY_AFTER) {
                    System.out.println(RealNode.BUSY);
                }
                break;
            } catch (StoreException e) {
                // Perhaps only the answer was lost: the same id is the same job.
            }
        }
        return new Story(new Report(id, 0, node.name(), node.env().nanoTime(), job), 0, job);
    }

    private void cancel(Story story) {
        try {
            Order.CANCEL.give(pool, story, node);
        } catch (StoreException | NoSuchJobException | WrongStateException e) {
            // It may have ended, and may never have been stored.
        }
    }
}
