import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.job.TwoPhaseHandler; // families
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.postgres.PostgresStore; // postgres
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.Store;

/**
 * Makes a store with jobs in many states, and dies without closing it. Runs on classes of an earlier revision, against
 * an API that has changed little; the script {@code make} adapts the rest. The subject of each job is its name.
 */
public final class MakeStore {

    private static final JobType<String, String> ECHO = JobType.of("echo", String.class, String.class);
    private static final JobType<String, String> FAIL = JobType.of("fail", String.class, String.class);
    private static final JobType<String, String> LONG = JobType.of("long", String.class, String.class);
    private static final JobType<String, String> ONCE = JobType.of("once", String.class, String.class).nonIdempotent();
    private static final JobType<String, String> LATER = JobType.of("later", String.class, String.class);
    private static final JobType<String, String> FAMILY = JobType.of("family", String.class, String.class);

    private MakeStore() {}

    public static void main(String[] args) throws Exception {
        Store store = args[0].startsWith("jdbc:postgresql")
                ? PostgresStore.at(args[0]) // postgres
                : SqliteStore.at(Path.of(args[0]));
        CountDownLatch running = new CountDownLatch(2);
        JobHandler<String, String> stuck = (payload, job) -> {
            running.countDown();
            Thread.sleep(Duration.ofHours(1));
            return payload;
        };
        PoolBuilder builder = Pool.on(store).workers(4).retry(RetryPolicy.linear(3, Duration.ofSeconds(20)))
                .register(ECHO, (payload, job) -> "echo " + payload)
                .register(FAIL, (payload, job) -> {
                    throw new IllegalStateException("cannot " + payload);
                })
                .register(LONG, (payload, job) -> {
                    job.saveCheckpoint("half of " + payload);
                    job.step("first step", String.class, () -> "done once");
                    job.progress(1, 2, "half");
                    return stuck.handle(payload, job);
                })
                .register(ONCE, stuck)
                .register(FAMILY, new TwoPhaseHandler<String, String>() { // families
                    public void ingest(String payload, dev.heddle.job.JobContext job) { // families
                        job.spawn(LATER.with("child").subject("child")); // families
                    } // families
                    public String aggregate(String payload, dev.heddle.job.Children children, // families
                            dev.heddle.job.JobContext job) { // families
                        return "never"; // families
                    } // families
                }) // families
                ;
        Pool pool = builder.open();
        pool.submit(ECHO.with("ä\"x\"").subject("completed").tags("red", "blue").session("s1").priority(3));
        JobId dead = pool.submit(FAIL.with("die").subject("failed").maxRetries(0)).id();
        JobId retried = pool.submit(FAIL.with("retry").subject("scheduled for a retry").queue("slow")).id();
        pool.submit(LATER.with("wait").subject("queued").dedupeKey("only one").timeout(Duration.ofMinutes(5)));
        pool.submit(LATER.with("due").subject("scheduled").delay(Duration.ofSeconds(20)));
        JobId paused = pool.submit(LATER.with("pause").subject("paused")).id();
        JobId cancelled = pool.submit(LATER.with("cancel").subject("cancelled")).id();
        pool.admin().pause(paused, "a person paused it");
        pool.admin().cancel(cancelled, "a person cancelled it");
        JobId parent = pool.submit(LONG.with("work").subject("running")).id();
        pool.submit(LATER.with("belongs").subject("labelled with a parent").parent(parent)); // no families
        pool.submit(ONCE.with("pay").subject("running once"));
        JobId waiting = pool.submit(FAMILY.with("tree").subject("waiting")).id(); // families
        running.await();
        await(() -> state(pool, dead) == JobState.FAILED && state(pool, retried) == JobState.SCHEDULED);
        await(() -> state(pool, waiting) == JobState.WAITING); // families
        await(() -> pool.stats().completed() == 1);
        Runtime.getRuntime().halt(0);
    }

    private static JobState state(Pool pool, JobId id) {
        return pool.find(id).orElseThrow().state();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(20);
        }
    }
}
