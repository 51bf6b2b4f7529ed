package dev.heddle.benchmarks.heddle;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import dev.heddle.benchmarks.contender.Database;
import dev.heddle.benchmarks.contender.HeddleStores;
import dev.heddle.benchmarks.contender.StoreLocation;
import dev.heddle.benchmarks.contender.StoreLocations;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.limit.Limit;
import dev.heddle.pool.Pool;

/** A pool that drains jobs again and again, perhaps beside jobs that wait for room under their limits. */
final class DrainSide implements AutoCloseable {

    static final String LIMIT = "per-key";

    private static final JobType<Integer, Void> NO_OP = JobType.of("no-op", Integer.class, Void.class);
    private static final JobType<Void, Void> HOLD = JobType.of("hold").group("holders");
    /** The payload of a job that is not counted. */
    private static final int OTHER = -1;
    private static final int CHUNK = 1_000;

    private final StoreLocations places;
    private final StoreLocation place;
    private final CpuTime cpu;
    private final Pool pool;
    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch holding;
    private volatile CountDownLatch left = new CountDownLatch(0);

    /**
     * Opens a pool.
     *
     * @param holders how many workers there are besides for jobs that hold a slot until the end
     */
    DrainSide(Database database, StoreLocations places, CpuTime cpu, String name, int most, int holders)
            throws Exception {
        this.places = places;
        this.cpu = cpu;
        this.place = places.at(name);
        this.holding = new CountDownLatch(holders);
        this.pool = Pool.on(HeddleStores.at(database, place)).workers(4).group("holders", Math.max(1, holders))
                .registerVoid(NO_OP, (number, _) -> {
                    if (number != OTHER) {
                        left.countDown();
                    }
                }).registerVoid(HOLD, (_, _) -> {
                    holding.countDown();
                    end.await();
                }).open();
        pool.admin().setLimit(Limit.named(LIMIT).maxConcurrent(most));
    }

    static IntFunction<JobRequest<Integer, Void>> plain() {
        return NO_OP::with;
    }

    static IntFunction<JobRequest<Integer, Void>> ofKeys(int keys) {
        return number -> NO_OP.with(number).limitKey(LIMIT, "key-" + number % keys);
    }

    /** Fills keys, which have room for one job each, and lets more jobs wait for each. */
    void fill(int keys, int waitingOfEach) throws Exception {
        submit(keys, key -> HOLD.withoutPayload().limitKey(LIMIT, "full-" + key));
        if (!holding.await(5, TimeUnit.MINUTES)) {
            throw new IllegalStateException(holding.getCount() + " holders have not started");
        }
        submit(keys * waitingOfEach, number -> NO_OP.with(OTHER).limitKey(LIMIT, "full-" + number % keys));
        drain(CHUNK, plain());
    }

    private <P> void submit(int count, IntFunction<JobRequest<P, Void>> request) {
        for (int first = 0; first < count; first += CHUNK) {
            pool.submitAll(IntStream.range(first, Math.min(count, first + CHUNK)).mapToObj(request).toList());
        }
    }

    /**
     * What a drain took.
     *
     * @param rate how many jobs a second
     * @param cpu microseconds of processor time for each job, of this JVM and the server
     */
    record Drain(double rate, double cpu) {}

    /** Submits jobs and runs them. */
    Drain drain(int count, IntFunction<JobRequest<Integer, Void>> request) throws InterruptedException, SQLException {
        pool.admin().pauseQueue(JobRequest.DEFAULT_QUEUE);
        left = new CountDownLatch(count);
        submit(count, request);
        places.settle(place);
        Duration used = cpu.now();
        long from = System.nanoTime();
        pool.admin().resumeQueue(JobRequest.DEFAULT_QUEUE);
        if (!left.await(5, TimeUnit.MINUTES)) {
            throw new IllegalStateException(left.getCount() + " jobs have not run");
        }
        return new Drain(count / ((System.nanoTime() - from) / 1e9), cpu.now().minus(used).toNanos() / 1e3 / count);
    }

    @Override
    public void close() throws SQLException {
        end.countDown();
        pool.close();
        places.drop(place);
    }
}
