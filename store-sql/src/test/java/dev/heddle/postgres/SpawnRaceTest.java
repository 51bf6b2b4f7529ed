package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.Command;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NewJob;
import dev.heddle.store.Receipt;
import dev.heddle.store.Ruling;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.PostgresServer.Version;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A parent is deleted, or ends, at the moment in which it gets a child; each interleaving is forced. */
class SpawnRaceTest {

    private final Schemas schemas = new Schemas(Version.V18);
    private final PostgresStore store = schemas.openNew();
    private Connection hand;

    @BeforeEach
    void open() throws SQLException {
        Families.join(store, "node");
        hand = DriverManager.getConnection(schemas.url());
        hand.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        hand.close();
        store.close();
    }

    private static <T> CompletableFuture<T> beside(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, task -> Thread.ofPlatform().daemon().start(task));
    }

    private Ruling delete(JobId id) {
        return store.execute(new Command.Delete(id, "ann", Families.NOW));
    }

    /** Until so many of this schema's statements wait for a lock. */
    private void awaitBlocked(int count) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            try (Connection connection = DriverManager.getConnection(schemas.url());
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(
                            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%"
                                    + schemas.schema() + ".%'")) {
                return row.next() && row.getInt(1) == count;
            }
        });
    }

    /** Locks the row of a child, so that whoever cancels it stops there, with its parent locked. */
    private void hold(JobId child) throws SQLException {
        try (Statement statement = hand.createStatement()) {
            statement.executeQuery("SELECT 1 FROM " + schemas.schema() + ".live WHERE seq = (SELECT seq FROM "
                    + schemas.schema() + ".job WHERE id = '" + child + "') FOR UPDATE").close();
        }
    }

    @Test
    void deletingWaitsForAChildThatIsBeingStoredAndCancelsIt() throws Exception {
        JobId parent = Families.insert(store, "parent");
        NewJob child = Families.job("child", parent);
        store.insert(hand, List.of(new Submission(List.of(child))));

        CompletableFuture<Ruling> deleted = beside(() -> delete(parent));
        awaitBlocked(1);
        assertThat(deleted).as("it waits for the child's commit").isNotDone();
        hand.commit();

        assertThat(deleted.get(30, TimeUnit.SECONDS)).isEqualTo(new Ruling.Done(1));
        assertThat(store.find(parent)).isEmpty();
        assertThat(store.find(child.spec().id()).orElseThrow()).satisfies(job -> {
            assertThat(job.state()).isEqualTo(JobState.CANCELLED);
            assertThat(job.reason()).contains("parent job deleted");
        });
    }

    @Test
    void storingAChildWaitsForADeletionAndFindsNoParent() throws Exception {
        JobId parent = Families.waiting(store, "node", 1);
        JobId elder = store.list(JobQuery.all().parent(parent)).getFirst().id();
        hold(elder);
        CompletableFuture<Ruling> deleted = beside(() -> delete(parent));
        awaitBlocked(1);

        NewJob child = Families.job("child", parent);
        CompletableFuture<Receipt> stored = beside(
                () -> store.insert(List.of(new Submission(List.of(child)))).getFirst());
        awaitBlocked(2);
        hand.rollback();

        assertThat(deleted.get(30, TimeUnit.SECONDS)).isEqualTo(new Ruling.Done(1));
        assertThat(stored.get(30, TimeUnit.SECONDS)).isEqualTo(new Receipt.NoParent(parent));
        assertThat(store.find(child.spec().id())).isEmpty();
        assertThat(store.find(elder).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
    }

    /** An attempt that was given up spawns while its end is being written: the child is refused, not left over. */
    @Test
    void spawningWaitsForTheEndOfItsParentAndIsRefused() throws Exception {
        JobId parent = Families.insert(store, "parent");
        Fence fence = Families.claim(store, "node", "parent", 1).getFirst();
        NewJob elder = Families.job("child", parent);
        store.insert(List.of(new Submission(List.of(elder), fence)));
        hold(elder.spec().id());
        CompletableFuture<List<Verdict>> ended = beside(
                () -> store.apply(List.of(Families.completed(fence))));
        awaitBlocked(1);

        NewJob late = Families.job("child", parent);
        CompletableFuture<Receipt> spawned = beside(
                () -> store.insert(List.of(new Submission(List.of(late), fence))).getFirst());
        awaitBlocked(2);
        hand.rollback();

        assertThat(ended.get(30, TimeUnit.SECONDS)).containsExactly(Verdict.APPLIED);
        assertThat(spawned.get(30, TimeUnit.SECONDS)).isEqualTo(new Receipt.NoParent(parent));
        assertThat(store.find(late.spec().id())).isEmpty();
        assertThat(store.find(elder.spec().id()).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
    }

    /** The first child of all, while the end of its parent waits: the end must not take the parent for childless. */
    @Test
    void theEndOfAParentWaitsForAFirstChildAndCancelsIt() throws Exception {
        JobId parent = Families.insert(store, "parent");
        Fence fence = Families.claim(store, "node", "parent", 1).getFirst();
        NewJob child = Families.job("child", parent);
        store.insert(hand, List.of(new Submission(List.of(child), fence)));

        CompletableFuture<List<Verdict>> ended = beside(
                () -> store.apply(List.of(Families.completed(fence))));
        awaitBlocked(1);
        hand.commit();

        assertThat(ended.get(30, TimeUnit.SECONDS)).containsExactly(Verdict.APPLIED);
        assertThat(store.find(parent).orElseThrow().state()).isEqualTo(JobState.COMPLETED);
        assertThat(store.find(child.spec().id()).orElseThrow().reason()).contains("parent job completed");
    }
}
