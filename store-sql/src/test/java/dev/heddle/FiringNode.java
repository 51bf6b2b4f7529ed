package dev.heddle;

import java.io.IOException;
import java.io.OutputStream;

import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.pool.Staging;

/** A node that fires schedules and runs their jobs, which do nothing. The test kills or stops it at some moment. */
final class FiringNode {

    static final JobType<Void, Void> TICK = JobType.of("tick", Void.class, Void.class);

    private FiringNode() {}

    /** Argument: the location of the store. */
    public static void main(String[] args) throws IOException {
        try (Pool _ = Pool.on(StoreLocations.open(args[0])).registerVoid(TICK, (_, _) -> {}).maxCrashes(10_000)
                .staging(Staging.none())
                .lease(KillableNodes.LEASE).renewEvery(KillableNodes.RENEW_EVERY).open()) {
            System.out.println(KillableNodes.OPEN);
            // Until the test ends, even if it is killed.
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
