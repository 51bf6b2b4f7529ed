package dev.heddle.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.store.MemoryStore;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A store that fails for a while: the pool heals when the store does, and nothing is lost. */
class StoreTroubleTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final JobType<String, String> ECHO = JobType.of("echo", String.class, String.class);

    private final Wire wire = new Wire(new MemoryStore());
    private final Store store = wire.store();

    @Test
    void claimsAgainOnceTheStoreIsBack() throws Exception {
        try (Pool pool = Pool.on(store).handle(ECHO, (text, job) -> text).open()) {
            wire.cut("claim");
            JobHandle<String> handle = pool.submit(ECHO, "patient");
            Awaitility.await().atMost(LONG).until(() -> wire.refused() >= 3);
            wire.mend();

            assertThat(handle.await(LONG)).isEqualTo("patient");
        }
    }

    @Test
    void keepsAnOutcomeUntilItCanBeWritten() throws Exception {
        try (Pool pool = Pool.on(store).handle(ECHO, (text, job) -> {
            wire.cut("apply");
            return text;
        }).open()) {
            JobHandle<String> handle = pool.submit(ECHO, "kept");
            Awaitility.await().atMost(LONG).until(() -> wire.refused() >= 3);
            wire.mend();

            assertThat(handle.await(LONG)).isEqualTo("kept");
            assertThat(pool.story(handle.id()).orElseThrow().attempts()).hasSize(1);
        }
    }

    @Test
    void tellsASubmitterThatItsJobWasNotStored() {
        try (Pool pool = Pool.on(store).open()) {
            wire.cut("insert");
            assertThatThrownBy(() -> pool.submit(ECHO, "x")).isInstanceOf(StoreException.class)
                    .hasMessageContaining("the line is cut");
            wire.mend();
            assertThat(pool.tally().live()).isEmpty();
        }
    }

    @Test
    void goesOnWhenRenewingAndPruningFail() throws Exception {
        ManualClock clock = new ManualClock(Instant.parse("2026-03-01T12:00:00Z"));
        try (Pool pool = Pool.on(store).clock(clock).retry(RetryPolicy.none())
                .handle(ECHO, (text, job) -> text)
                .open()) {
            wire.cut("renew", "prune");
            clock.advance(Duration.ofMinutes(2));
            Awaitility.await().atMost(LONG).until(() -> wire.refused() >= 2);

            assertThat(pool.submit(ECHO, "fine").await(LONG)).isEqualTo("fine");
        }
    }

    @Test
    void closesEvenIfTheStoreNeverComesBack() {
        Pool pool = Pool.on(store).closeTimeout(Duration.ofMillis(100)).handle(ECHO, (text, job) -> {
            wire.cut("apply");
            return text;
        }).open();
        pool.submit(ECHO, "lost to the next opening");
        Awaitility.await().atMost(LONG).until(() -> wire.refused() >= 1);

        pool.close();
        Awaitility.await().atMost(LONG).until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("heddle-ledger")));
    }

    /** Not the same: it neither answers nor fails, and a handler waits for its checkpoint. */
    @Test
    void closesEvenIfTheStoreHangs() {
        CountDownLatch saving = new CountDownLatch(1);
        Pool pool = Pool.on(store).closeTimeout(Duration.ofMillis(100))
                .cancelGrace(Duration.ofMillis(50), Duration.ofMillis(50)).handle(ECHO, (text, job) -> {
                    wire.hang();
                    saving.countDown();
                    job.saveCheckpoint(text);
                    return text;
                }).open();
        pool.submit(ECHO, "left to the next opening");
        Awaitility.await().atMost(LONG).until(() -> saving.getCount() == 0);

        assertThat(CompletableFuture.runAsync(pool::close)).succeedsWithin(LONG);
        assertThat(pool.closing().orElseThrow().abandoned()).isEqualTo(1);
        wire.mend();
    }
}
