package dev.heddle.postgres;

import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

import dev.heddle.job.HistoryEntry;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.NodeRecord;
import dev.heddle.testkit.PostgresServer.Version;
import dev.heddle.testkit.Torture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The last two children of a parent end at the same moment, on two nodes. */
class LastChildrenTest {

    private final Schemas schemas = new Schemas(Version.V18);
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private PostgresStore one = schemas.openNew();
    private PostgresStore other = schemas.openAgain();

    @BeforeEach
    void join() {
        FamilyFixture.join(one, "one");
        FamilyFixture.join(other, "other");
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        one.close();
        other.close();
    }

    /** No node renews its lease here, so only the two ends can wake the parent. */
    @Test
    void alwaysWakeTheParentOnce() throws Exception {
        Random random = Torture.random("LastChildrenTest");
        int rounds = Torture.rounds(50, 1_000);
        for (int round = 0; round < rounds; round++) {
            JobId parent = FamilyFixture.waiting(one, "one", 2);
            Fence first = FamilyFixture.claim(one, "one", "child", 1).getFirst();
            Fence second = FamilyFixture.claim(other, "other", "child", 1).getFirst();
            CyclicBarrier start = new CyclicBarrier(2);

            CompletableFuture<Void> firstEnd = end(one, first, start, random.nextInt(300));
            CompletableFuture<Void> secondEnd = end(other, second, start, random.nextInt(300));
            CompletableFuture.allOf(firstEnd, secondEnd).get();

            assertThat(one.find(parent).orElseThrow().state()).as("round %s", round).isEqualTo(JobState.QUEUED);
            assertThat(one.details(parent).orElseThrow().history()).extracting(HistoryEntry::to)
                    .as("woken once, in round %s", round).containsExactly(JobState.WAITING, JobState.QUEUED);
            one.apply(FamilyFixture.claim(one, "one", "parent", 1).stream().<Change>map(FamilyFixture::completed)
                    .toList());
        }
        System.out.println("LastChildrenTest: " + rounds + " rounds, the parent was woken once in each");
    }

    private CompletableFuture<Void> end(PostgresStore store, Fence child, CyclicBarrier start, int micros) {
        return CompletableFuture.runAsync(() -> {
            try {
                start.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
            LockSupport.parkNanos(micros * 1_000L);
            store.apply(List.of(FamilyFixture.completed(child)));
        }, threads);
    }

    /** Simulates a node that dies after the last child's end is committed and before it wakes the parent. */
    @Test
    void wakeTheParentAtTheNextRenewalIfTheirNodeDied() throws Exception {
        JobId parent = FamilyFixture.waiting(one, "one", 1);
        try (var connection = DriverManager.getConnection(schemas.url());
                var statement = connection.createStatement()) {
            statement.execute("DELETE FROM " + schemas.schema() + ".live WHERE parent IS NOT NULL");
        }
        assertThat(one.find(parent).orElseThrow().state()).isEqualTo(JobState.WAITING);

        other.renew(new NodeRecord("other", FamilyFixture.NOW, FamilyFixture.NOW, Duration.ofMinutes(10), "[]"));

        assertThat(one.find(parent).orElseThrow().state()).isEqualTo(JobState.QUEUED);
    }
}
