package dev.heddle;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;

/** A node that fires schedules and runs their jobs, which do nothing. The test kills or stops it at some moment. */
final class FiringNode {

    /** Printed once the node works. */
    static final String OPEN = "OPEN";

    static final JobType<Void, Void> TICK = JobType.of("tick", Void.class, Void.class);

    static final Duration LEASE = Duration.ofSeconds(3);

    private FiringNode() {}

    /** Argument: the location of the store. */
    public static void main(String[] args) throws InterruptedException {
        try (Pool _ = Pool.on(StoreLocations.open(args[0])).registerVoid(TICK, (_, _) -> {}).lease(LEASE)
                .renewEvery(Duration.ofMillis(500)).open()) {
            System.out.println(OPEN);
            new CountDownLatch(1).await();
        }
    }
}
