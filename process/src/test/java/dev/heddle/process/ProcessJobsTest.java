package dev.heddle.process;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.testkit.ManualClock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Jobs run a command that starts a daemon without an environment. When the job is over, no process is left. */
@Tag("portable")
class ProcessJobsTest extends ProcessFixture {

    @BeforeEach
    void needsLinux() {
        assumeFindsDaemons();
    }

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

    /**
     * Runs the daemon's script as a job, performs the test's action once the daemon is alive, and looks for leftovers.
     */
    private void leavesNothingAfter(Isolation isolation, Consumer<PoolBuilder> settings, JobAction action)
            throws Exception {
        Processes processes = open(isolation);
        PoolBuilder builder = Pool.on(new MemoryStore()).register(SCRIPT,
                (script, job) -> run(processes, shell(script), job));
        settings.accept(builder);
        EscapingDaemon daemon = new EscapingDaemon(directory);
        try (Pool pool = builder.open()) {
            JobHandle<Integer> job = pool.submit(SCRIPT, daemon.daemonizeWithoutEnvironment() + "; sleep 86400");
            daemon.awaitAlive();
            action.perform(pool, job);
            Awaitility.await().atMost(LONG).until(() -> processes.running().isEmpty());
            assertThat(daemon.alive()).isEmpty();
        }
    }

    private interface JobAction {
        void perform(Pool pool, JobHandle<Integer> job) throws Exception;
    }

    @ParameterizedTest
    @EnumSource(names = {"SESSION", "NAMESPACE"})
    void leavesNothingAfterACancel(Isolation isolation) throws Exception {
        leavesNothingAfter(isolation, builder -> {}, (pool, job) -> {
            pool.admin().cancel(job.id(), "enough");
            assertThat(job.awaitEnd(LONG).state()).isEqualTo(JobState.CANCELLED);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"SESSION", "NAMESPACE"})
    void leavesNothingAfterATimeout(Isolation isolation) throws Exception {
        // A manual clock, because the timeout must not pass before the daemon is alive.
        ManualClock clock = new ManualClock(Instant.now());
        Duration timeout = Duration.ofMinutes(1);
        leavesNothingAfter(isolation, builder -> builder.clock(clock).timeout(timeout), (pool, job) -> {
            clock.advance(timeout);
            assertThat(job.awaitEnd(LONG).state()).isEqualTo(JobState.FAILED);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"SESSION", "NAMESPACE"})
    void leavesNothingAfterClosing(Isolation isolation) throws Exception {
        leavesNothingAfter(isolation, builder -> {}, (pool, job) -> pool.close());
    }
}
