package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.testkit.PostgresServer.Version;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The cost of a child's end does not depend on the number of its siblings. */
class FamilyReadsTest {

    private static final int BATCH = 20;

    @Test
    void endingAChildReadsAsMuchOfALargeFamilyAsOfASmallOne() throws Exception {
        long small = readsPerChild(200);
        long large = readsPerChild(10_000);
        System.out.println("FamilyReadsTest: " + small + " rows and index entries read for each of 200 children, "
                + large + " for each of 10,000");

        assertThat(large).isLessThan(2 * small + 10);
    }

    /** Counts reads of all tables, from the claim to the end, including the look for the parent after each batch. */
    private static long readsPerChild(int children) throws SQLException {
        Schemas schemas = new Schemas(Version.V18);
        long opened = query("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint", schemas);
        long before;
        try (PostgresStore store = schemas.openNew()) {
            FamilyFixture.join(store, "node");
            JobId parent = FamilyFixture.waiting(store, "node", children);
            before = reads(schemas);
            for (int done = 0; done < children; done += BATCH) {
                List<Fence> claimed = FamilyFixture.claim(store, "node", "child", BATCH);
                store.apply(claimed.stream().<Change>map(FamilyFixture::completed).toList());
            }
            assertThat(store.find(parent).orElseThrow().state()).isEqualTo(JobState.QUEUED);
        }
        // The server adds the reads of a connection when the connection has ended.
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> query("""
                SELECT count(*) FROM pg_stat_activity WHERE application_name = 'heddle'
                AND extract(epoch FROM backend_start) * 1000 >= %d""".formatted(opened), schemas) == 0);
        return (reads(schemas) - before) / children;
    }

    private static long reads(Schemas schemas) throws SQLException {
        return query("""
                SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE schemaname = '%1$s')
                     + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname = '%1$s')"""
                .formatted(schemas.schema()), schemas);
    }

    private static long query(String sql, Schemas schemas) throws SQLException {
        try (Connection connection = DriverManager.getConnection(schemas.url());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
