package dev.heddle.postgres;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.DetachedWork;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.Store;
import org.awaitility.Awaitility;

/** A node in its own process, to be killed while its work goes on. */
final class OutlivingNode {

    static final JobType<String, String> WORK = JobType.of("work", String.class, String.class)
            .timeout(Duration.ofMinutes(10));

    /** A machine whose custodian finds all of its work. */
    record Machine(String machine, String boot) implements DetachedWork {
        @Override
        public Status status(JobId job, int attempt) {
            return Status.ADOPTABLE;
        }
    }

    private OutlivingNode() {}

    /** The lease outlasts any delay of a process. A node loses it only by {@link Schemas#declareDead}. */
    static PoolBuilder on(Store store, Machine machine) {
        return Pool.on(store).workers(2).detachedWork(machine).lease(Duration.ofSeconds(30))
                .renewEvery(Duration.ofMillis(300)).cancelGrace(Duration.ofMillis(100), Duration.ofMillis(100))
                .closeTimeout(Duration.ofMillis(200));
    }

    /** Arguments: JDBC URL, schema, machine, boot. Prints a line once the work has begun and its start is stored. */
    public static void main(String[] args) throws InterruptedException {
        CountDownLatch underWay = new CountDownLatch(1);
        Pool pool = on(PostgresStore.builder().url(args[0]).schema(args[1]).connections(4).open(),
                new Machine(args[2], args[3])).register(WORK, (_, job) -> {
                    job.detachFromNode();
                    underWay.countDown();
                    job.sleep(Duration.ofMinutes(5));
                    return "";
                }).open();
        JobId id = pool.submit(WORK, "x").id();
        underWay.await();
        Awaitility.await().atMost(Duration.ofSeconds(50))
                .until(() -> pool.find(id).orElseThrow().state() == JobState.RUNNING);
        System.out.println("at work");
        new CountDownLatch(1).await();
    }
}
