package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.sql.JobColumn;
import dev.heddle.sql.JobColumns;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The schema as people see it who query the database directly. */
class SchemaTest {

    private record Order(String customer, int cents) {}

    private record Receipt(String number, int paid) {}

    private static final JobType<Order, Receipt> BILL = JobType.of("bill", Order.class, Receipt.class);

    private final Schemas schemas = new Schemas(Version.V18);

    private List<String> query(String sql) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(schemas.url());
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery(sql.replace("heddle.", schemas.schema() + "."))) {
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
        }
        return lines;
    }

    @Test
    void letsPeopleQueryPayloadsAndResults() throws Exception {
        try (Pool pool = Pool.on(schemas.openNew())
                .register(BILL, (order, job) -> new Receipt("R-" + order.customer(), order.cents())).open()) {
            pool.submit(BILL, new Order("ada", 1_200)).await(Duration.ofSeconds(30));
            pool.submit(BILL, new Order("bob", 80)).await(Duration.ofSeconds(30));

            assertThat(query("""
                    SELECT payload->>'customer' || ' paid ' || (result->>'paid')::int
                    FROM heddle.job JOIN heddle.ended USING (seq)
                    WHERE type = 'bill' AND (payload->>'cents')::int > 100""")).containsExactly("ada paid 1200");
        }
    }

    @Test
    void hasExactlyTheDeclaredColumnsInTheTableJob() throws Exception {
        schemas.openNew().close();

        assertThat(query("""
                SELECT column_name FROM information_schema.columns
                WHERE table_schema = '%s' AND table_name = 'job' AND column_name <> 'seq'"""
                .formatted(schemas.schema())))
                .containsExactlyInAnyOrderElementsOf(JobColumns.ALL.stream().map(JobColumn::name).toList());
    }

    @Test
    void explainsEveryTable() throws Exception {
        schemas.openNew().close();

        assertThat(query("""
                SELECT c.relname FROM pg_class c WHERE c.relnamespace = '%s'::regnamespace AND c.relkind = 'r'
                AND obj_description(c.oid, 'pg_class') IS NULL""".formatted(schemas.schema())))
                .as("tables without a comment").isEmpty();
    }

    /** Most jobs are in a lane that cannot be claimed, and are older and more urgent than the others. */
    @Test
    void claimsByAnIndexHoweverManyJobsWait() throws Exception {
        schemas.openNew().close();
        execute("""
                INSERT INTO heddle.live (seq, lane, priority, state, attempt, failures, crashes)
                SELECT n, CASE WHEN n > 19990 THEN 2 ELSE 1 END, CASE WHEN n > 19990 THEN 0 ELSE 9 END, 'QUEUED', 0, 0, 0
                FROM generate_series(1, 20000) n""",
                "ANALYZE heddle.live");

        String plan = String.join("\n",
                query("""
                        EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF)
                        SELECT seq FROM heddle.live WHERE state = 'QUEUED' AND lane = 2 ORDER BY priority DESC, seq LIMIT 5"""));
        assertThat(plan).contains("live_ready").doesNotContain("Sort").doesNotContain("Seq Scan");
        String merged = String.join("\n", query("""
                EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)
                SELECT * FROM (SELECT seq, priority, lane FROM heddle.live WHERE state = 'QUEUED' AND lane = 1
                               ORDER BY priority DESC, seq LIMIT 500) one
                UNION ALL
                SELECT * FROM (SELECT seq, priority, lane FROM heddle.live WHERE state = 'QUEUED' AND lane = 2
                               ORDER BY priority DESC, seq LIMIT 500) one
                ORDER BY 2 DESC, 1 LIMIT 5"""));
        assertThat(merged).as("lanes are merged, not sorted").contains("Merge Append").doesNotContain("Sort Method");
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(schemas.url());
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql.replace("heddle.", schemas.schema() + "."));
            }
        }
    }
}
