package dev.heddle.postgres;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.pool.QueueFullException;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.JobQuery;
import dev.heddle.testkit.PostgresServer.Version;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Jobs that are submitted inside the application's own transaction share its fate. */
class TransactionTest {

    /** Less than the interval of probes, after which a node looks for work by itself. */
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final JobType<String, String> ECHO = JobType.of("echo", String.class, String.class);
    private static final JobType<String, String> HOLD = JobType.of("hold", String.class, String.class);

    private final Semaphore began = new Semaphore(0);
    private final Semaphore goOn = new Semaphore(0);
    private final Schemas schemas = new Schemas(Version.V18);
    private Pool pool;
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        // This node never polls: only an announcement wakes it.
        pool = Pool.on(schemas.openNew()).pollEvery(Duration.ZERO).queueCapacity("narrow", 1)
                .register(ECHO, (text, job) -> text).register(HOLD, (text, job) -> {
                    began.release();
                    goOn.acquire();
                    return text;
                }).open();
        connection = DriverManager.getConnection(schemas.url());
        connection.setAutoCommit(false);
        execute("CREATE TABLE " + orders() + " (id int)");
        connection.commit();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        pool.close();
    }

    private String orders() {
        return "public.orders_of_" + schemas.schema();
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void storesTheJobWithTheTransactionAndWakesTheNodeAtItsCommit() throws Exception {
        execute("INSERT INTO " + orders() + " VALUES (1)");
        JobHandle<String> handle = pool.within(connection).submit(ECHO, "of the order");
        assertThat(handle.job()).as("not visible before the commit").isEmpty();
        // By then the first look of the node is over, and only an announcement makes it look again.
        Thread.sleep(500);
        connection.commit();

        assertThat(handle.await(SOON)).isEqualTo("of the order");
    }

    @Test
    void discardsTheJobWhenTheTransactionIsRolledBack() throws Exception {
        execute("INSERT INTO " + orders() + " VALUES (1)");
        JobHandle<String> handle = pool.within(connection).submit(ECHO, "of the order");
        connection.rollback();

        assertThat(handle.job()).isEmpty();
        assertThat(pool.admin().list(JobQuery.all())).isEmpty();
    }

    @Test
    void leavesTheTransactionOpen() throws Exception {
        pool.within(connection).submit(ECHO.with("one").dedupeKey("k"));
        assertThat(connection.getAutoCommit()).isFalse();
        execute("INSERT INTO " + orders() + " VALUES (1)");
        pool.within(connection).submit(ECHO.with("two").tags("a").subject("s"));
        connection.commit();

        assertThat(pool.admin().list(JobQuery.all())).extracting(Job::result).hasSize(2);
    }

    /** Another transaction has the key and has not committed: this one waits, and gets the other's job. */
    @Test
    void givesAKeyToOneOfTwoTransactions() throws Exception {
        pool.admin().pauseQueue("default");
        JobHandle<String> first = pool.within(connection).submit(ECHO.with("first").dedupeKey("k"));
        CompletableFuture<JobHandle<String>> second = CompletableFuture.supplyAsync(() -> {
            try (Connection other = DriverManager.getConnection(schemas.url())) {
                other.setAutoCommit(false);
                JobHandle<String> handle = pool.within(other).submit(ECHO.with("second").dedupeKey("k"));
                other.commit();
                return handle;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        schemas.awaitBlocked(1);
        assertThat(second).isNotDone();
        connection.commit();

        assertThat(second.get(30, TimeUnit.SECONDS).id()).isEqualTo(first.id());
        assertThat(pool.admin().list(JobQuery.all())).hasSize(1);
    }

    @Test
    void refusesAJobIfItsQueueIsFull() throws Exception {
        pool.admin().pauseQueue("narrow");
        pool.within(connection).submit(ECHO.with("one").queue("narrow"));

        assertThatThrownBy(() -> pool.within(connection).submit(ECHO.with("two").queue("narrow")))
                .isInstanceOf(QueueFullException.class);
        connection.commit();
        assertThat(pool.admin().list(JobQuery.all())).hasSize(1);
    }

    @Test
    void needsATransaction() throws Exception {
        connection.setAutoCommit(true);
        assertThatThrownBy(() -> pool.within(connection)).isInstanceOf(IllegalStateException.class)
                .hasMessage("the connection is in auto-commit mode;"
                        + " call setAutoCommit(false) to begin a transaction first");
    }

    @Test
    void needsAStoreThatSupportsTransactions(@TempDir Path directory) {
        try (Pool other = Pool.on(SqliteStore.at(directory.resolve("jobs.db"))).open()) {
            assertThatThrownBy(() -> other.within(connection)).isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("SqliteStore cannot share a transaction with an application; PostgresStore can");
        }
    }

    /** The open transaction does not block the node that runs the parent, not even with a serializable snapshot. */
    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_SERIALIZABLE})
    void aChildBlocksNothingUntilTheCommit(int isolation) throws Exception {
        connection.setTransactionIsolation(isolation);
        JobHandle<String> parent = pool.submit(HOLD, "parent");
        began.acquire();
        execute("INSERT INTO " + orders() + " VALUES (1)");
        JobHandle<String> child = pool.within(connection).submit(ECHO.with("child").parent(parent.id()));
        goOn.release();

        assertThat(parent.await(SOON)).isEqualTo("parent");
        assertThat(child.job()).as("not visible before the commit").isEmpty();
        connection.commit();
        assertThat(child.await(SOON)).isEqualTo("child");
        assertThat(child.job().orElseThrow().spec().parent()).contains(parent.id());
    }

    @Test
    void aChildIsCancelledWithAParentOfTheSameTransaction() throws Exception {
        JobHandle<String> parent = pool.within(connection).submit(HOLD, "parent");
        JobHandle<String> child = pool.within(connection)
                .submit(ECHO.with("child").parent(parent.id()).delay(Duration.ofDays(1)));
        connection.commit();
        began.acquire();
        goOn.release();

        assertThat(parent.await(SOON)).isEqualTo("parent");
        Awaitility.await().atMost(SOON).until(() -> child.job().orElseThrow().state() == JobState.CANCELLED);
    }
}
