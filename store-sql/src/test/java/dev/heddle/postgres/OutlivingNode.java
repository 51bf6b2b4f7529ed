package dev.heddle.postgres;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.Custodian;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.Store;
import org.awaitility.Awaitility;

/** A node of its own, to be killed while its work goes on: the JDBC URL, the schema, its machine. */
final class OutlivingNode {

    static final JobType<String, String> WORK = JobType.of("work", String.class, String.class)
            .timeout(Duration.ofMinutes(10));

    /** A machine on which all of its own work can be found. */
    record Machine(String machine, String boot) implements Custodian {
        @Override
        public Trace trace(JobId job, int attempt) {
            return Trace.WORK;
        }
    }

    private OutlivingNode() {}

    /** Its lease outlasts whatever holds up a process: a node that is to lose it is {@linkplain Schemas#bury buried}. */
    static PoolBuilder on(Store store, Machine machine) {
        return Pool.on(store).workers(2).custodian(machine).lease(Duration.ofSeconds(30))
                .renewEvery(Duration.ofMillis(300))
                .cancelGrace(Duration.ofMillis(100), Duration.ofMillis(100))
                .closeTimeout(Duration.ofMillis(200));
    }

    /** Says so once the work is under way and its start is written, which may be after the handler was called. */
    public static void main(String[] args) throws InterruptedException {
        CountDownLatch underWay = new CountDownLatch(1);
        Pool pool = on(PostgresStore.builder().url(args[0]).schema(args[1]).connections(4).open(),
                new Machine(args[2], args[3])).handle(WORK, (_, job) -> {
                    job.outliveNode();
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
