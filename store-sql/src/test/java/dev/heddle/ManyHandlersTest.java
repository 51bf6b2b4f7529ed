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
import dev.heddle.store.Story;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Closing in the middle of a thousand handlers, of which some are deaf. */
class ManyHandlersTest {

    private static final int HANDLERS = 1_000;
    private static final Duration CLOSING = Duration.ofSeconds(2);
    /** Enough for all who heed an interrupt to do so on a slow machine. */
    private static final Duration ABANDON = Duration.ofSeconds(5);
    private static final JobType<Integer, String> TASK = JobType.of("task", Integer.class, String.class);

    @TempDir private Path directory;

    private final CountDownLatch started = new CountDownLatch(HANDLERS);
    private final CountDownLatch letGo = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        letGo.countDown();
    }

    /** A third sleeps, a third saves where it is, a sixth waits for an interrupt, a sixth ignores even that. */
    private String work(int number, JobContext job) throws InterruptedException {
        started.countDown();
        switch (number % 6) {
            case 0, 1 -> job.sleep(Duration.ofHours(1));
            case 2, 3 -> {
                for (int item = 1;; item++) {
                    job.saveCheckpoint(item);
                    letGo.await(200, TimeUnit.MILLISECONDS);
                }
            }
            case 4 -> letGo.await();
            default -> awaitStubbornly();
        }
        return "";
    }

    private void awaitStubbornly() {
        while (letGo.getCount() > 0) {
            try {
                letGo.await();
            } catch (InterruptedException e) {
                // Deaf.
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsInTimeAndARestartFinishesEveryOne(Places.Kind kind) throws Exception {
        String place = Places.in(kind, directory);
        Pool pool = Pool.on(Places.open(place)).workers(HANDLERS).closeTimeout(CLOSING)
                .cancelGrace(Duration.ofMillis(100), ABANDON).handle(TASK, this::work).open();
        List<JobId> ids = pool.submitAll(IntStream.range(0, HANDLERS).mapToObj(TASK::with).toList()).stream()
                .map(JobHandle::id).toList();
        assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();

        ClosingReport report = pool.drain(Duration.ZERO);

        System.out.println("ManyHandlersTest on " + kind + ": " + report.summary());
        int deaf = (int) IntStream.range(0, HANDLERS).filter(number -> number % 6 == 5).count();
        assertThat(report).isEqualTo(new ClosingReport(0, HANDLERS - deaf, 0, 0, deaf, report.took()));
        assertThat(report.took()).as("the limit, and the margin for commits")
                .isLessThan(CLOSING.plus(ABANDON).plusSeconds(30));
        try (Pool next = Pool.on(Places.open(place)).handle(TASK, (number, job) -> "done").open()) {
            assertThat(next.opening().found()).as("nobody died").isZero();
            assertThat(next.awaitIdle(Duration.ofSeconds(60))).isTrue();
            for (JobId id : ids) {
                Story story = next.story(id).orElseThrow();
                assertThat(story.job().state()).isEqualTo(JobState.COMPLETED);
                assertThat(story.job().counts()).isEqualTo(new Job.Counts(2, 0, 0));
                assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.RELEASED,
                        Attempt.End.COMPLETED);
            }
        }
    }
}
