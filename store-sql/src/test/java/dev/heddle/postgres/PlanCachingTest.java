package dev.heddle.postgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** PostgreSQL caches plans: those made while the queue was empty must also be right for a full one. */
class PlanCachingTest {

    private static final JobType<Integer, Integer> STAMP = JobType.of("stamp", Integer.class, Integer.class);
    private static final int FEW = 30;
    private static final int MANY = 20_000;

    @ParameterizedTest
    @EnumSource(Version.class)
    void cachedPlansReadAsManyRowsOfAFullQueueAsOfAnEmptyOne(Version version) throws Exception {
        Schemas schemas = new Schemas(version);
        schemas.openNew().close();

        drain(schemas, schemas.builder());

        // Usually 5 to 7; small claims on a busy machine read a little more, a plan that scans the table 30,000.
        assertThat(readsPerJob(schemas)).isLessThan(100);
    }

    /** On connections of the application. Fresh plans may read a whole table, but not for every job. */
    @ParameterizedTest
    @EnumSource(Version.class)
    void freshPlansDoNotReadTheTableForEveryJob(Version version) throws Exception {
        Schemas schemas = new Schemas(version);
        schemas.openNew().close();
        try (HikariDataSource application = new HikariDataSource()) {
            application.setJdbcUrl(schemas.url());

            drain(schemas, PostgresStore.builder().dataSource(application).schema(schemas.schema()));
        }

        assertThat(readsPerJob(schemas)).isLessThan(400);
    }

    private static void drain(Schemas schemas, PostgresStoreBuilder worker) throws Exception {
        CountDownLatch stamped = new CountDownLatch(FEW + FEW + MANY);
        try (Pool pool = stamping(worker.open(), stamped)) {
            submit(pool, FEW);
            vacuum(schemas);
            submit(pool, FEW);
            pool.awaitIdle(Duration.ofSeconds(30));
            pool.admin().pauseQueue(JobRequest.DEFAULT_QUEUE);
            submit(pool, MANY);
            pool.admin().resumeQueue(JobRequest.DEFAULT_QUEUE);
            assertThat(stamped.await(120, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static void submit(Pool pool, int jobs) {
        pool.submitAll(IntStream.range(0, jobs).mapToObj(STAMP::with).toList());
    }

    private static Pool stamping(PostgresStore store, CountDownLatch stamped) {
        PoolBuilder builder = Pool.on(store).workers(8).retry(RetryPolicy.linear(3, Duration.ofMillis(1)));
        return builder.register(STAMP, (number, job) -> {
            stampOrFail(number, job);
            stamped.countDown();
            return number;
        }).open();
    }

    /** Covers all writes of attempts: most only complete, some save a checkpoint, some fail at first. */
    private static void stampOrFail(int number, JobContext job) throws IOException {
        if (number % 50 == 1) {
            job.saveCheckpoint(number);
        }
        if (number % 50 == 2 && job.attempt() == 1) {
            throw new IOException("at first");
        }
    }

    private static void vacuum(Schemas schemas) throws SQLException {
        try (Connection connection = DriverManager.getConnection(schemas.url());
                Statement statement = connection.createStatement()) {
            for (String table : new String[]{"job", "live", "ended", "attempt", "history", "lane"}) {
                statement.execute("VACUUM ANALYZE " + schemas.schema() + "." + table);
            }
        }
    }

    /** Returns how many rows and index entries were read per job. Complete once all connections are closed. */
    private static long readsPerJob(Schemas schemas) throws SQLException {
        try (Connection connection = DriverManager.getConnection(schemas.url());
                PreparedStatement sum = connection.prepareStatement("""
                        SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE schemaname = ?)
                             + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname = ?)""")) {
            sum.setString(1, schemas.schema());
            sum.setString(2, schemas.schema());
            try (ResultSet row = sum.executeQuery()) {
                row.next();
                return row.getLong(1) / MANY;
            }
        }
    }
}
