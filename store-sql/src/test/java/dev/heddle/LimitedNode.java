package dev.heddle;

import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;

import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.pool.Staging;

/** A node that runs jobs with limits, and logs when their handlers start and end. The test kills or stops it. */
final class LimitedNode {

    /** How long a job takes, and its key. */
    record Work(String key, int millis) {}

    static final JobType<Work, Void> WORK = JobType.of("work", Work.class, Void.class);

    private static final int WORKERS = 16;

    private LimitedNode() {}

    /** Arguments: the location of the store, and the log file. */
    public static void main(String[] args) throws Exception {
        System.setProperty("logback.configurationFile", "limited-node.xml");
        try (AttemptLog log = AttemptLog.open(Path.of(args[1]));
                Pool _ = Pool.on(StoreLocations.open(args[0])).workers(WORKERS).maxCrashes(10_000)
                        .staging(Staging.none())
                        .registerVoid(WORK, (work, job) -> {
                            log.write(true, job, work.key());
                            try {
                                Thread.sleep(Duration.ofMillis(work.millis()));
                            } finally {
                                log.write(false, job, work.key());
                            }
                        }).lease(KillableNodes.LEASE).renewEvery(KillableNodes.RENEW_EVERY).open()) {
            System.out.println(KillableNodes.OPEN);
            // Until the test ends, even if it is killed.
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
