package dev.heddle.testkit.pool;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import dev.heddle.job.JobState;
import dev.heddle.pool.ClosingReport;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.PoolClosedException;
import dev.heddle.store.JobQuery;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Draining: running jobs may finish, for as long as the caller says. */
abstract class DrainContract extends PoolFixture {

    private final CountDownLatch started = new CountDownLatch(1);
    /** Releases handlers that ignore everything else. */
    private final CountDownLatch release = new CountDownLatch(1);

    DrainContract(PoolContract contract) {
        super(contract);
    }

    @AfterEach
    void releaseHandlers() {
        release.countDown();
    }

    private ClosingReport report() {
        return pool().closingReport().orElseThrow();
    }

    private boolean isClosing() {
        return logged().contains("Pool " + pool().admin().nodeId() + " closing");
    }

    /** Opens a pool without handlers on the store of the last one, to look at its jobs. */
    private void openIdle() {
        open(builderAgain());
    }

    private void ignoreInterrupts() {
        while (release.getCount() > 0) {
            try {
                release.await();
            } catch (InterruptedException e) {
                // Simulates a handler that ignores interrupts.
            }
        }
    }

    @Test
    void finishesRunningJobsAndStartsNoMoreWhileDraining() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        open(builder().workers(2).register(NOTE, (note, job) -> {
            job.cancellation().onCancel(cancelled::countDown);
            started.countDown();
            release.await();
            return "finished";
        }));
        JobHandle<String> running = submit("running");
        started.await();
        CompletableFuture<ClosingReport> draining = CompletableFuture.supplyAsync(() -> pool().drain(LONG));
        await().until(() -> pool().admin().workers().size() == 1);
        assertThatThrownBy(() -> submit("too late")).isInstanceOf(PoolClosedException.class);
        await().during(Duration.ofMillis(300)).until(() -> cancelled.getCount() == 1);
        release.countDown();

        assertThat(draining).succeedsWithin(LONG).isEqualTo(report());
        assertThat(cancelled.getCount()).as("it was not cancelled").isEqualTo(1);
        assertThat(report()).isEqualTo(new ClosingReport(1, 0, 0, 0, 0, report().took()));
        openIdle();
        assertThat(state(running)).isEqualTo(JobState.COMPLETED);
        assertThat(pool().admin().list(JobQuery.all())).hasSize(1);
    }

    @Test
    void cancelsRunningJobsWhenTheDrainTimesOut() throws Exception {
        open(builder().closeTimeout(LONG).register(NOTE, (note, job) -> {
            started.countDown();
            job.sleep(LONG);
            return "";
        }));
        submit("x");
        started.await();

        assertThat(pool().drain(Duration.ofMillis(10)).requeued()).isEqualTo(1);
        assertThatThrownBy(() -> pool().drain(Duration.ofSeconds(-1)))
                .hasMessage("the time to drain must not be negative: PT-1S");
    }

    @Test
    void keepsALimitThatIsShorterThanTheTimeToStop() throws Exception {
        open(builder().closeTimeout(Duration.ofDays(1)).register(NOTE, (note, job) -> {
            started.countDown();
            ignoreInterrupts();
            return "";
        }));
        JobHandle<String> handle = submit("x");
        started.await();
        CompletableFuture<ClosingReport> closing = CompletableFuture
                .supplyAsync(() -> pool().closeWithin(Duration.ofDays(1)));
        await().until(this::isClosing);

        assertThat(pool().closeWithin(Duration.ofMillis(100)).abandoned()).isEqualTo(1);

        assertThat(closing).as("the later limit is shorter").succeedsWithin(LONG).isEqualTo(report());
        release.countDown();
        assertThatThrownBy(() -> pool().closeWithin(Duration.ofSeconds(-1)))
                .hasMessage("the time to close must not be negative: PT-1S");
        openIdle();
        assertThat(state(handle)).isEqualTo(JobState.QUEUED);
    }

    @Test
    void endsADrainWhenThePoolIsClosed() throws Exception {
        open(builder().closeTimeout(LONG).register(NOTE, (note, job) -> {
            started.countDown();
            job.sleep(Duration.ofDays(1));
            return "";
        }));
        submit("x");
        started.await();
        CompletableFuture<ClosingReport> draining = CompletableFuture
                .supplyAsync(() -> pool().drain(Duration.ofSeconds(Long.MAX_VALUE)));
        await().until(this::isClosing);

        pool().close();

        assertThat(draining).succeedsWithin(LONG).isEqualTo(report());
        assertThat(report().requeued()).isEqualTo(1);
    }
}
