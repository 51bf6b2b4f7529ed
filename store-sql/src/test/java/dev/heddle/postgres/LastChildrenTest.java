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

/** The last two children of a parent end at the same moment, on two nodes that know nothing of each other. */
class LastChildrenTest {

    private final Schemas schemas = new Schemas(Version.V18);
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private PostgresStore one = schemas.openNew();
    private PostgresStore other = schemas.openAgain();

    @BeforeEach
    void join() {
        Families.join(one, "one");
        Families.join(other, "other");
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        one.close();
        other.close();
    }

    /** Nobody renews a lease here, so nothing but the two ends can wake the parent. */
    @Test
    void alwaysWakeIt() throws Exception {
        Random random = Torture.random("LastChildrenTest");
        int rounds = Torture.rounds(50, 1_000);
        for (int round = 0; round < rounds; round++) {
            JobId parent = Families.waiting(one, "one", 2);
            Fence first = Families.claim(one, "one", "child", 1).getFirst();
            Fence second = Families.claim(other, "other", "child", 1).getFirst();
            CyclicBarrier start = new CyclicBarrier(2);

            CompletableFuture<Void> firstEnd = end(one, first, start, random.nextInt(300));
            CompletableFuture<Void> secondEnd = end(other, second, start, random.nextInt(300));
            CompletableFuture.allOf(firstEnd, secondEnd).get();

            assertThat(one.find(parent).orElseThrow().state()).as("round %s", round)
                    .isEqualTo(JobState.QUEUED);
            assertThat(one.story(parent).orElseThrow().history()).extracting(HistoryEntry::to)
                    .as("woken once, in round %s", round).containsExactly(JobState.WAITING, JobState.QUEUED);
            one.apply(Families.claim(one, "one", "parent", 1).stream()
                    .<Change>map(Families::completed).toList());
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
            store.apply(List.of(Families.completed(child)));
        }, threads);
    }

    /** A node that dies between the commit of the last end and the look after it. */
    @Test
    void areRememberedByTheNextRenewalWhereNobodyLookedAfterThem() throws Exception {
        JobId parent = Families.waiting(one, "one", 1);
        try (var connection = DriverManager.getConnection(schemas.url());
                var statement = connection.createStatement()) {
            statement.execute("DELETE FROM " + schemas.schema() + ".live WHERE parent IS NOT NULL");
        }
        assertThat(one.find(parent).orElseThrow().state()).isEqualTo(JobState.WAITING);

        other.renew(new NodeRecord("other", Families.NOW, Families.NOW,
                Duration.ofMinutes(10), "[]"));

        assertThat(one.find(parent).orElseThrow().state()).isEqualTo(JobState.QUEUED);
    }
}
