package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NewJob;
import dev.heddle.store.Receipt;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A parent is deleted or ends while it gets a child. Each test forces one interleaving. */
class SpawnRaceTest {

    private final Schemas schemas = new Schemas(Version.V18);
    private final PostgresStore store = schemas.openNew();
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        FamilyFixture.join(store, "node");
        connection = DriverManager.getConnection(schemas.url());
        connection.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        store.close();
    }

    private static <T> CompletableFuture<T> inBackground(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, task -> Thread.ofPlatform().daemon().start(task));
    }

    private CommandResult delete(JobId id) {
        return store.execute(new AdminCommand.Delete(id, "ann", FamilyFixture.NOW));
    }

    /** Locks the row of a child: a transaction that cancels it stops there, with the parent locked. */
    private void lock(JobId child) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeQuery("SELECT 1 FROM " + schemas.schema() + ".live WHERE seq = (SELECT seq FROM "
                    + schemas.schema() + ".job WHERE id = '" + child + "') FOR UPDATE").close();
        }
    }

    @Test
    void deletingWaitsForAChildThatIsBeingStoredAndCancelsIt() throws Exception {
        JobId parent = FamilyFixture.insert(store, "parent");
        NewJob child = FamilyFixture.job("child", parent);
        store.insert(connection, List.of(new Submission(List.of(child))));

        CompletableFuture<CommandResult> deleted = inBackground(() -> delete(parent));
        schemas.awaitBlocked(1);
        assertThat(deleted).as("waits for the commit of the child").isNotDone();
        connection.commit();

        assertThat(deleted.get(30, TimeUnit.SECONDS)).isEqualTo(new CommandResult.Done(1));
        assertThat(store.find(parent)).isEmpty();
        assertThat(store.find(child.spec().id()).orElseThrow()).satisfies(job -> {
            assertThat(job.state()).isEqualTo(JobState.CANCELLED);
            assertThat(job.reason()).contains("parent job deleted");
        });
    }

    @Test
    void storingAChildWaitsForADeletionAndFindsNoParent() throws Exception {
        JobId parent = FamilyFixture.waiting(store, "node", 1);
        JobId elder = store.list(JobQuery.all().parent(parent)).getFirst().id();
        lock(elder);
        CompletableFuture<CommandResult> deleted = inBackground(() -> delete(parent));
        schemas.awaitBlocked(1);

        NewJob child = FamilyFixture.job("child", parent);
        CompletableFuture<Receipt> stored = inBackground(
                () -> store.insert(List.of(new Submission(List.of(child)))).getFirst());
        schemas.awaitBlocked(2);
        connection.rollback();

        assertThat(deleted.get(30, TimeUnit.SECONDS)).isEqualTo(new CommandResult.Done(1));
        assertThat(stored.get(30, TimeUnit.SECONDS)).isEqualTo(new Receipt.NoParent(parent));
        assertThat(store.find(child.spec().id())).isEmpty();
        assertThat(store.find(elder).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
    }

    /**
     * An attempt that was given up spawns while its end is written: the child must be refused, not stored as an
     * orphan.
     */
    @Test
    void spawningWaitsForTheEndOfItsParentAndIsRefused() throws Exception {
        JobId parent = FamilyFixture.insert(store, "parent");
        Fence fence = FamilyFixture.claim(store, "node", "parent", 1).getFirst();
        NewJob elder = FamilyFixture.job("child", parent);
        store.insert(List.of(new Submission(List.of(elder), fence)));
        lock(elder.spec().id());
        CompletableFuture<List<Verdict>> ended = inBackground(
                () -> store.apply(List.of(FamilyFixture.completed(fence))));
        schemas.awaitBlocked(1);

        NewJob late = FamilyFixture.job("child", parent);
        CompletableFuture<Receipt> spawned = inBackground(
                () -> store.insert(List.of(new Submission(List.of(late), fence))).getFirst());
        schemas.awaitBlocked(2);
        connection.rollback();

        assertThat(ended.get(30, TimeUnit.SECONDS)).containsExactly(Verdict.APPLIED);
        assertThat(spawned.get(30, TimeUnit.SECONDS)).isEqualTo(new Receipt.NoParent(parent));
        assertThat(store.find(late.spec().id())).isEmpty();
        assertThat(store.find(elder.spec().id()).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
    }

    /** A parent gets its first child while its end waits: the end must not treat the parent as childless. */
    @Test
    void theEndOfAParentWaitsForAFirstChildAndCancelsIt() throws Exception {
        JobId parent = FamilyFixture.insert(store, "parent");
        Fence fence = FamilyFixture.claim(store, "node", "parent", 1).getFirst();
        NewJob child = FamilyFixture.job("child", parent);
        store.insert(connection, List.of(new Submission(List.of(child), fence)));

        CompletableFuture<List<Verdict>> ended = inBackground(
                () -> store.apply(List.of(FamilyFixture.completed(fence))));
        schemas.awaitBlocked(1);
        connection.commit();

        assertThat(ended.get(30, TimeUnit.SECONDS)).containsExactly(Verdict.APPLIED);
        assertThat(store.find(parent).orElseThrow().state()).isEqualTo(JobState.COMPLETED);
        assertThat(store.find(child.spec().id()).orElseThrow().reason()).contains("parent job completed");
    }
}
