package dev.heddle.sql;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import dev.heddle.job.Dedupe;
import dev.heddle.postgres.PostgresStore;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.stats.CountStore;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NewJob;
import dev.heddle.store.Store;
import dev.heddle.store.Submission;
import dev.heddle.testkit.JobDraft;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import dev.heddle.testkit.Torture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Lists cost what they show: the databases plan no sort of all matches and no scan of a large table. */
class ListPlansTest {

    private static final int JOBS = Torture.rounds(18_000, 1_000_000);
    private static final int BULK = 1_000;

    private static final Instant NOW = JobDraft.CREATED_AT;

    /** Conditions that an index finds need nothing else that differs between the databases. */
    private static Dialect joining(String join) {
        return (Dialect) Proxy.newProxyInstance(Dialect.class.getClassLoader(), new Class<?>[]{Dialect.class},
                (_, method, arguments) -> switch (method.getName()) {
                    case "joinInOrder" -> join;
                    case "withoutIndex" -> (join.equals(" JOIN ") ? "" : "+") + arguments[0];
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private static final List<String> QUERIES = List.of("type:rare", "type:note", "queue:rare", "key:k7",
            "session:s1", "payload.customer.id:7", "state:failed type:rare",
            "tag:t1 type:note", "state:queued,scheduled queue:q", "type:rare attempts:>0");

    private static final Map<String, JobQuery> LISTS = Map.of("dead letters", JobQuery.deadLetters(),
            "the next page of dead letters", JobQuery.deadLetters().before(4_000), "dead letters of a queue",
            JobQuery.deadLetters().queue("q"), "jobs with a tag", JobQuery.all().tag("t1"),
            "the next page of jobs with a tag", JobQuery.all().tag("t1").before(4_000), "dead letters with a tag",
            JobQuery.deadLetters().tag("t1"), "jobs with a subject", JobQuery.all().subject("s1"),
            "the oldest dead letters", JobQuery.deadLetters().after(0));

    /** A third of the jobs is queued, a third completed, a third dead; of the queued ones, some are scheduled. */
    private static void fill(Store store, Connection connection, String schema, String tidy) throws SQLException {
        for (int from = 0; from < JOBS; from += 1_000) {
            List<NewJob> jobs = IntStream.range(from, from + 1_000).mapToObj(
                    i -> JobDraft.of(i % 500 == 0 ? "rare" : "note").queue(i % 500 == 1 ? "rare" : "q")
                            .subject("s" + i % 7)
                            .tags("t" + i % 3, "all").session("s" + i % 5_000).key("k" + i, Dedupe.whileActive())
                            .searchable(Map.of("customer.id", String.valueOf(i % 1_000))).job())
                    .toList();
            store.insert(List.of(new Submission(jobs)));
        }
        try (Statement statement = connection.createStatement()) {
            for (String sql : List.of("""
                    INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, worker)
                    SELECT l.seq, CASE WHEN l.seq % 3 = 0 THEN 'FAILED' ELSE 'COMPLETED' END, j.created_at, 1, 0, 0, 'w'
                    FROM heddle.live l JOIN heddle.job j ON j.seq = l.seq WHERE l.seq % 3 < 2""",
                    """
                            INSERT INTO heddle.attempt (seq, number, node, worker, assigned_at, ended_at, outcome)
                            SELECT seq, 1, 'n', 'w', ended_at, ended_at, 'FAILED' FROM heddle.ended WHERE state = 'FAILED'""",
                    "DELETE FROM heddle.live WHERE seq % 3 < 2",
                    "UPDATE heddle.live SET state = 'SCHEDULED', due_at = (SELECT max(created_at) FROM heddle.job) WHERE seq % 5 = 0",
                    tidy)) {
                statement.executeUpdate(sql.replace("heddle.", schema));
            }
        }
        store.capability(CountStore.class).orElseThrow().checkCounts(true);
    }

    /** Runs each question and order once and prints how long it took, after one run to warm up. */
    private static void measure(Store store) {
        JobQuery dead = JobQuery.deadLetters();
        for (String round : List.of("first", "second")) {
            StringBuilder line = new StringBuilder(
                    "ListPlansTest: %s, %,d jobs, %s run:".formatted(store.getClass().getSimpleName(), JOBS, round));
            Map<String, Runnable> calls = new LinkedHashMap<>();
            calls.put("100 dead letters", () -> assertThat(store.list(dead)).hasSize(100));
            calls.put("100 by tag", () -> assertThat(store.list(JobQuery.all().tag("t1"))).hasSize(100));
            for (String text : List.of("type:rare", "queue:rare", "created:<1h", "state:cancelled", "key:k7",
                    "payload.customer.id:7 state:failed", "state:failed ended:<1h type:rare")) {
                calls.put("'" + text + "'", () -> assertThat(store.list(JobQuery.parse(text, NOW))).isNotNull());
            }
            calls.put("counts", () -> assertThat(store.countJobs().dead()).isPositive());
            calls.put("retry of 1,000", () -> assertDone(
                    store.execute(new AdminCommand.RetryMatching(dead.limit(BULK), "test", JobDraft.CREATED_AT))));
            calls.put("purge of 1,000", () -> assertDone(
                    store.execute(new AdminCommand.PurgeMatching(dead.limit(BULK), "test", JobDraft.CREATED_AT))));
            calls.forEach((name, call) -> {
                long started = System.nanoTime();
                call.run();
                line.append(" %s %d ms,".formatted(name, (System.nanoTime() - started) / 1_000_000));
            });
            System.out.println(line);
        }
    }

    private static void assertDone(CommandResult result) {
        assertThat(result).isEqualTo(new CommandResult.Done(BULK));
    }

    @Test
    void plansNoSortAndNoScanOnSqlite(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("jobs.db");
        try (Store store = SqliteStore.at(file);
                Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            fill(store, connection, "", "ANALYZE");
            // "SCAN x" reads a whole table; "SCAN x USING COVERING INDEX" reads an index, as a count has to.
            Pattern costly = Pattern.compile("TEMP B-TREE FOR ORDER BY|SCAN (j|l|e|t|live|ended)(?! USING)");
            for (Map.Entry<String, JobQuery> list : LISTS.entrySet()) {
                assertThat(plan(connection, "EXPLAIN QUERY PLAN ", list.getValue(), "")).as(list.getKey())
                        .doesNotContainPattern(costly);
            }
            for (String text : QUERIES) {
                assertThat(plan(connection, "EXPLAIN QUERY PLAN ", JobQuery.parse(text, NOW), "")).as(text)
                        .doesNotContainPattern(costly);
            }
            measure(store);
        }
    }

    @Test
    void plansNoSortAndNoScanOnPostgres() throws Exception {
        String url = PostgresServer.shared(Version.V18).createDatabase();
        try (Store store = PostgresStore.builder().url(url).connections(6).open();
                Connection connection = DriverManager.getConnection(url)) {
            fill(store, connection, "heddle.", "VACUUM ANALYZE");
            Pattern costly = Pattern.compile("Sort|Seq Scan on (job|live|ended|attempt|tag)");
            for (Map.Entry<String, JobQuery> list : LISTS.entrySet()) {
                assertThat(plan(connection, "EXPLAIN ", list.getValue(), "heddle.")).as(list.getKey())
                        .doesNotContainPattern(costly);
            }
            for (String text : QUERIES) {
                assertThat(plan(connection, "EXPLAIN ", JobQuery.parse(text, NOW), "heddle.")).as(text)
                        .doesNotContainPattern(costly);
            }
            measure(store);
        }
    }

    private static String plan(Connection connection, String explain, JobQuery query, String schema)
            throws SQLException {
        List<Object> parameters = new ArrayList<>();
        String sql = JobListing.sql(query.limit(20), joining(schema.isEmpty() ? " CROSS JOIN " : " JOIN "), null,
                parameters);
        return explain(connection, explain + sql.replace("heddle.", schema), parameters);
    }

    private static String explain(Connection connection, String sql, List<Object> parameters) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.size(); i++) {
                statement.setObject(i + 1, parameters.get(i));
            }
            try (ResultSet rows = statement.executeQuery()) {
                int column = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    plan.append(rows.getString(column)).append('\n');
                }
            }
        }
        return plan.toString();
    }
}
