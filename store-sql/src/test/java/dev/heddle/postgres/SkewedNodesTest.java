package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import dev.heddle.job.JobException;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.Submission;
import dev.heddle.testkit.JobDraft;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The clock of the server says when a job is due, and those of the nodes may be wrong. */
class SkewedNodesTest {

    private static final JobType<String, String> NOTE = JobType.of("note", String.class, String.class);
    private static final Duration DELAY = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Schemas schemas = new Schemas(Version.V18);

    private PoolBuilder node(PostgresStore store, int hoursAhead) {
        return Pool.on(store).clock(Clock.offset(Clock.systemUTC(), Duration.ofHours(hoursAhead)));
    }

    @ParameterizedTest
    @CsvSource({"1, -1", "-1, 1", "0, 1", "0, -1"})
    void startsJobsNeitherEarlyNorLateIfTheClocksOfNodesAreAnHourOff(int submitterAhead, int runnerAhead)
            throws Exception {
        AtomicLong from = new AtomicLong();
        AtomicLong start = new AtomicLong();
        try (Pool submitter = node(schemas.openNew(), submitterAhead).open();
                Pool runner = node(schemas.openAgain(), runnerAhead).retry(RetryPolicy.linear(1, DELAY))
                        .register(NOTE, (text, job) -> {
                            if (text.equals("fails once") && job.attempt() == 1) {
                                from.set(System.nanoTime());
                                throw JobException.transientFailure("not now");
                            }
                            start.set(System.nanoTime());
                            return text;
                        }).open()) {
            assertThat(runner.admin().nodeId()).isNotEqualTo(submitter.admin().nodeId());

            from.set(System.nanoTime());
            submitter.submit(NOTE.with("delayed").delay(DELAY)).await(LONG);
            assertThat(start.get() - from.get()).as("the delay").isGreaterThanOrEqualTo(DELAY.toNanos());

            submitter.submit(NOTE, "fails once").await(LONG);
            assertThat(start.get() - from.get()).as("the backoff").isGreaterThanOrEqualTo(DELAY.toNanos());

            from.set(System.nanoTime());
            submitter.submit(NOTE.with("at a time").runAt(Clock.systemUTC().instant().plus(DELAY))).await(LONG);
            assertThat(start.get() - from.get()).as("the time").isGreaterThanOrEqualTo(DELAY.minusMillis(2).toNanos());
        }
    }

    @Test
    void findsDueJobsByTheirIndex() throws Exception {
        try (PostgresStore store = schemas.openNew();
                Connection connection = DriverManager.getConnection(schemas.url())) {
            store.insert(List.of(new Submission(IntStream.range(0, 5_000)
                    .mapToObj(i -> JobDraft.of("note").delay(Duration.ofSeconds(i)).job()).toList())));
            schemas.change("ANALYZE heddle.live");

            assertThat(explain(connection, Claims.PROMOTE)).contains("Index Cond: (due_at <= ")
                    .doesNotContain("Seq Scan");
            assertThat(explain(connection, Claims.LOOK.replace("?", "ARRAY['note']"))).contains("live_due")
                    .doesNotContain("Seq Scan on live");
        }
    }

    private String explain(Connection connection, String sql) throws Exception {
        String local = new PostgresDialect(schemas.schema(), PlanCaching.FRESH, PostgresDialect.SERVER_CLOCK)
                .localize(sql);
        StringBuilder plan = new StringBuilder();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("EXPLAIN " + local)) {
            while (rows.next()) {
                plan.append(rows.getString(1)).append('\n');
            }
        }
        return plan.toString();
    }
}
