package dev.heddle.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import dev.heddle.job.Job;
import dev.heddle.job.JobException;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A pool on a store that fails for a while: the pool recovers with the store and loses nothing. */
class StoreTroubleTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final JobType<String, String> ECHO = JobType.of("echo", String.class, String.class);

    private final StoreFaults faults = new StoreFaults(new MemoryStore());
    private final Store store = faults.store();

    @Test
    void claimsAgainOnceTheStoreIsBack() throws Exception {
        try (Pool pool = Pool.on(store).register(ECHO, (text, job) -> text).open()) {
            faults.fail("claim");
            JobHandle<String> handle = pool.submit(ECHO, "patient");
            Awaitility.await().atMost(LONG).until(() -> faults.failedCalls() >= 3);
            faults.heal();

            assertThat(handle.await(LONG)).isEqualTo("patient");
        }
    }

    @Test
    void keepsAnOutcomeUntilTheStoreAcceptsIt() throws Exception {
        try (Pool pool = Pool.on(store).register(ECHO, (text, job) -> {
            faults.fail("apply");
            return text;
        }).open()) {
            JobHandle<String> handle = pool.submit(ECHO, "kept");
            Awaitility.await().atMost(LONG).until(() -> faults.failedCalls() >= 3);
            faults.heal();

            assertThat(handle.await(LONG)).isEqualTo("kept");
            assertThat(pool.admin().details(handle.id()).orElseThrow().attempts()).hasSize(1);
        }
    }

    /** Otherwise a job would use up its retries while the store is away. */
    @Test
    void waitsForTheStoreToLoadACheckpoint() throws Exception {
        try (Pool pool = Pool.on(store).retry(RetryPolicy.linear(1, Duration.ZERO)).register(ECHO, (text, job) -> {
            if (job.attempt() == 1) {
                job.saveCheckpoint(text);
                faults.fail("saved", "find");
                throw JobException.transientFailure("once");
            }
            return job.checkpoint(String.class).orElse("nothing");
        }).open()) {
            JobHandle<String> handle = pool.submit(ECHO, "kept");
            Awaitility.await().atMost(LONG).until(() -> faults.failedCalls() >= 3);
            faults.heal();

            assertThat(handle.await(LONG)).isEqualTo("kept");
            assertThat(pool.admin().details(handle.id()).orElseThrow().attempts()).hasSize(2);
        }
    }

    @Test
    void reportsThatASubmittedJobWasNotStored() {
        try (Pool pool = Pool.on(store).open()) {
            faults.fail("insert");
            assertThatThrownBy(() -> pool.submit(ECHO, "x")).isInstanceOf(StoreException.class)
                    .hasMessageContaining("injected fault");
            faults.heal();
            assertThat(pool.admin().countJobs().live()).isEmpty();
        }
    }

    @Test
    void answersWhoWaitsForACancelledJobOnceTheStoreIsBack() {
        try (Pool pool = Pool.on(store).open()) {
            JobHandle<String> handle = pool.submit(ECHO, "no node has a handler for it");
            CompletableFuture<Job> end = handle.completion();
            faults.fail("find");
            handle.cancel("enough");
            Awaitility.await().atMost(LONG).until(() -> faults.failedCalls() >= 3);
            faults.heal();

            assertThat(end).succeedsWithin(LONG).extracting(Job::state).isEqualTo(JobState.CANCELLED);
        }
    }

    @Test
    void keepsRunningIfRenewingAndPruningFail() throws Exception {
        ManualClock clock = new ManualClock(Instant.parse("2026-03-01T12:00:00Z"));
        try (Pool pool = Pool.on(store).clock(clock).retry(RetryPolicy.none()).register(ECHO, (text, job) -> text)
                .open()) {
            faults.fail("renew", "prune");
            clock.advance(Duration.ofMinutes(2));
            Awaitility.await().atMost(LONG).until(() -> faults.failedCalls() >= 2);

            assertThat(pool.submit(ECHO, "fine").await(LONG)).isEqualTo("fine");
        }
    }

    @Test
    void closesEvenIfTheStoreStaysDown() {
        Pool pool = Pool.on(store).closeTimeout(Duration.ofMillis(100)).register(ECHO, (text, job) -> {
            faults.fail("apply");
            return text;
        }).open();
        pool.submit(ECHO, "left for the next pool");
        Awaitility.await().atMost(LONG).until(() -> faults.failedCalls() >= 1);

        pool.close();
        Awaitility.await().atMost(LONG).until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("heddle-ledger")));
    }

    /** Differs from a failing store: calls never return, and a handler waits for its checkpoint. */
    @Test
    void closesEvenIfTheStoreHangs() {
        CountDownLatch saving = new CountDownLatch(1);
        Pool pool = Pool.on(store).closeTimeout(Duration.ofMillis(100))
                .cancelGrace(Duration.ofMillis(50), Duration.ofMillis(50)).register(ECHO, (text, job) -> {
                    faults.hang();
                    saving.countDown();
                    job.saveCheckpoint(text);
                    return text;
                }).open();
        pool.submit(ECHO, "left for the next pool");
        Awaitility.await().atMost(LONG).until(() -> saving.getCount() == 0);

        assertThat(CompletableFuture.runAsync(pool::close)).succeedsWithin(LONG);
        assertThat(pool.closingReport().orElseThrow().abandoned()).isEqualTo(1);
        faults.heal();
    }
}
