package dev.heddle.process;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.MemoryStore;
import dev.heddle.testkit.ManualClock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A job of a pool runs a command that daemonises and scrubs its environment; when the job is over, nothing is left. */
class JobsTest extends ProcessFixture {

    private static final JobType<String, Integer> SCRIPT = JobType.of("script", String.class, Integer.class)
            .retry(RetryPolicy.none());

    private static int run(Processes processes, Launch launch, JobContext job) throws InterruptedException {
        RunningProcess process = processes.start(launch);
        job.cancellation().onCancel(() -> process.stop());
        Exit exit = process.await();
        job.cancellation().throwIfCancelled();
        if (!exit.isClean()) {
            throw JobException.permanent(exit.toString());
        }
        return exit.code();
    }

    /** Runs the daemon's script as a job, and does with it what the test wants, once the daemon lives. */
    private void during(Isolation isolation, Consumer<PoolBuilder> settings, RunningJob test)
            throws Exception {
        Processes processes = open(isolation);
        PoolBuilder builder = Pool.on(new MemoryStore()).handle(SCRIPT,
                (script, job) -> run(processes, shell(script), job));
        settings.accept(builder);
        Daemon daemon = new Daemon(directory);
        try (Pool pool = builder.open()) {
            JobHandle<Integer> job = pool.submit(SCRIPT, daemon.scrubbed() + "; sleep 86400");
            daemon.awaitAlive();
            test.with(pool, job);
            Awaitility.await().atMost(LONG).until(() -> processes.running().isEmpty());
            assertThat(daemon.alive()).isEmpty();
        }
    }

    private interface RunningJob {
        void with(Pool pool, JobHandle<Integer> job) throws Exception;
    }

    @ParameterizedTest
    @EnumSource(names = {"SESSION", "NAMESPACE"})
    void afterACancel(Isolation isolation) throws Exception {
        during(isolation, builder -> {}, (pool, job) -> {
            pool.cancel(job.id(), "enough");
            assertThat(job.end(LONG).state()).isEqualTo(JobState.CANCELLED);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"SESSION", "NAMESPACE"})
    void afterATimeOut(Isolation isolation) throws Exception {
        // Not before the daemon lives, however long that takes.
        ManualClock clock = new ManualClock(Instant.now());
        Duration timeout = Duration.ofMinutes(1);
        during(isolation, builder -> builder.clock(clock).timeout(timeout), (pool, job) -> {
            clock.advance(timeout);
            assertThat(job.end(LONG).state()).isEqualTo(JobState.FAILED);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"SESSION", "NAMESPACE"})
    void afterClosing(Isolation isolation) throws Exception {
        during(isolation, builder -> {}, (pool, job) -> pool.close());
    }

    @Test
    void waitsWhereTooLittleIsFree() throws Exception {
        Processes hungry = open(settings(Isolation.NAMESPACE).headroom(new Headroom(0, 1L << 62)));
        JobType<String, String> other = JobType.of("other", String.class, String.class);
        try (Pool pool = Pool.on(new MemoryStore()).gate(hungry.gate("script"::equals))
                .handle(SCRIPT, (script, job) -> run(hungry, shell(script), job))
                .handle(other, (text, job) -> text)
                .open()) {
            JobHandle<Integer> held = pool.submit(SCRIPT, "true");
            assertThat(pool.submit(other, "goes on").await(LONG)).isEqualTo("goes on");

            assertThat(pool.find(held.id()).orElseThrow().state()).isEqualTo(JobState.QUEUED);
            assertThat(pool.stats().held().get("script"))
                    .matches("only \\d+ MiB of disk are free, and \\d+ MiB must be");
        }
    }
}
