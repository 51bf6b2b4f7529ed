package dev.heddle;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.ClosingReport;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.store.JobDetails;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Closing a pool while a thousand handlers run, some of which ignore interrupts. */
class ManyHandlersTest {

    private static final int HANDLERS = 1_000;
    private static final Duration CLOSING = Duration.ofSeconds(2);
    /** Long enough, on a slow machine, for all handlers that respond to an interrupt. */
    private static final Duration ABANDON = Duration.ofSeconds(5);
    private static final JobType<Integer, String> TASK = JobType.of("task", Integer.class, String.class);

    @TempDir
    private Path directory;

    private final CountDownLatch started = new CountDownLatch(HANDLERS);
    private final CountDownLatch finish = new CountDownLatch(1);

    @AfterEach
    void finish() {
        finish.countDown();
    }

    /** A third sleeps, a third saves checkpoints, a sixth waits for an interrupt, and a sixth ignores interrupts. */
    private String work(int number, JobContext job) throws InterruptedException {
        started.countDown();
        switch (number % 6) {
            case 0, 1 -> job.sleep(Duration.ofHours(1));
            case 2, 3 -> {
                for (int item = 1;; item++) {
                    job.saveCheckpoint(item);
                    finish.await(200, TimeUnit.MILLISECONDS);
                }
            }
            case 4 -> finish.await();
            default -> awaitIgnoringInterrupts();
        }
        return "";
    }

    private void awaitIgnoringInterrupts() {
        while (finish.getCount() > 0) {
            try {
                finish.await();
            } catch (InterruptedException e) {
                // Ignored on purpose.
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void closesInTimeAndARestartFinishesEveryJob(StoreLocations.Kind kind) throws Exception {
        String location = StoreLocations.create(kind, directory);
        Pool pool = Pool.on(StoreLocations.open(location)).workers(HANDLERS).closeTimeout(CLOSING)
                .cancelGrace(Duration.ofMillis(100), ABANDON).register(TASK, this::work).open();
        List<JobId> ids = pool.submitAll(IntStream.range(0, HANDLERS).mapToObj(TASK::with).toList()).stream()
                .map(JobHandle::id).toList();
        assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();

        ClosingReport report = pool.drain(Duration.ZERO);

        System.out.println("ManyHandlersTest on " + kind + ": " + report.summary());
        int ignoring = (int) IntStream.range(0, HANDLERS).filter(number -> number % 6 == 5).count();
        assertThat(report).isEqualTo(new ClosingReport(0, HANDLERS - ignoring, 0, 0, ignoring, report.took()));
        assertThat(report.took()).as("the limits, and a margin for commits")
                .isLessThan(CLOSING.plus(ABANDON).plusSeconds(30));
        try (Pool next = Pool.on(StoreLocations.open(location)).register(TASK, (number, job) -> "done").open()) {
            assertThat(next.recoveryReport().found()).as("no node died").isZero();
            assertThat(next.awaitIdle(Duration.ofSeconds(60))).isTrue();
            for (JobId id : ids) {
                JobDetails story = next.admin().details(id).orElseThrow();
                assertThat(story.job().state()).isEqualTo(JobState.COMPLETED);
                assertThat(story.job().counts()).isEqualTo(new Job.Counts(2, 0, 0));
                assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.RELEASED,
                        Attempt.End.COMPLETED);
            }
        }
    }
}
