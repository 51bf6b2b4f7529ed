package dev.heddle.control;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.heddle.job.Affinity;
import dev.heddle.job.JobException;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.Store;
import tools.jackson.databind.JsonNode;

/**
 * Builds the pool of the tests: {@code echo} returns its payload, {@code fail} fails permanently, {@code gate} waits,
 * {@code steps} saves two steps and a checkpoint, then fails.
 */
public final class TestPool {

    public static final JobType<JsonNode, JsonNode> ECHO = JobType.of("echo", JsonNode.class, JsonNode.class);
    public static final JobType<JsonNode, JsonNode> FAIL = JobType.of("fail", JsonNode.class, JsonNode.class);
    public static final JobType<JsonNode, JsonNode> GATE = JobType.of("gate", JsonNode.class, JsonNode.class);

    private static final JobType<JsonNode, JsonNode> STEPS = JobType.of("steps", JsonNode.class, JsonNode.class);

    private final CountDownLatch opened = new CountDownLatch(1);

    /** Lets all jobs of type {@code gate} complete. */
    public void openGate() {
        opened.countDown();
    }

    /** Returns the builder of a pool with the handlers. */
    public PoolBuilder on(Store store) {
        return Pool.on(store).workers(2).retry(RetryPolicy.none()).closeTimeout(Duration.ofMillis(200))
                .cancelGrace(Duration.ofMillis(50), Duration.ofMillis(200)).queueCapacity("small", 2)
                .register(ECHO.affinity(Affinity.STRICT_QUEUE), (payload, job) -> {
                    job.progress(1, 1, "echoed");
                    return payload;
                }).register(FAIL, (payload, job) -> {
                    throw JobException.permanent("permanent for the test");
                }).register(STEPS, (payload, job) -> {
                    job.step("fetch", Integer.class, job::attempt);
                    job.step("charge", Integer.class, job::attempt);
                    if (job.attempt() == 1) {
                        job.saveCheckpoint("first");
                    }
                    throw JobException.permanent("permanent for the test");
                }).register(GATE, (payload, job) -> {
                    while (!opened.await(5, TimeUnit.MILLISECONDS)) {
                        job.cancellation().throwIfCancelled();
                    }
                    return payload;
                });
    }
}
