package dev.heddle.control.local;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.heddle.control.Control;
import dev.heddle.control.ControlJson;
import dev.heddle.control.TestPool;
import dev.heddle.control.model.DeadLetterView;
import dev.heddle.control.model.JobDetail;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.JobFilter;
import dev.heddle.job.JobState;
import dev.heddle.pool.Pool;
import dev.heddle.sqlite.SqliteStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Values in a store that cannot be read are shown as text, and break neither a list nor a wait. */
class UnreadableValuesTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's
    private Path directory;
    @SuppressWarnings("NullAway.Init") // open() sets it
    private Pool pool;
    @SuppressWarnings("NullAway.Init") // open() sets it
    private Control control;

    @BeforeEach
    void open() {
        pool = new TestPool().on(SqliteStore.at(directory.resolve("jobs.db"))).open();
        control = LocalControl.on(pool);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private String run(String type, String tag) {
        String id = control.submit(List.of(JobDraft.of(type, ControlJson.tree("{\"n\":1}")).tags(Set.of(tag)))).jobs()
                .getFirst().id();
        control.await(id, LONG);
        return id;
    }

    private void change(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("jobs.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 10000");
            assertThat(statement.executeUpdate(sql)).isPositive();
        }
    }

    @Test
    void showsAnUnreadablePayloadAndResultAsText() throws Exception {
        String id = run("echo", "t");
        change("UPDATE job SET payload = '{oops'");
        change("UPDATE ended SET result = '" + "9".repeat(1_001) + "'");

        JobDetail detail = control.await(id, LONG);
        assertThat(detail.job().state()).isEqualTo(JobState.COMPLETED);
        assertThat(detail.payload().path("text").asString()).isEqualTo("{oops");
        assertThat(detail.payload().path("unreadable").asString()).contains("Unexpected");
        assertThat(result(detail).path("text").asString()).startsWith("999");
        assertThat(result(detail).path("unreadable").asString()).contains("digits");
        assertThat(control.jobs(JobFilter.ALL).jobs()).hasSize(1);
        assertThat(ControlJson.write(detail)).contains("{oops");
    }

    private static JsonNode result(JobDetail detail) {
        JsonNode result = detail.result();
        assertThat(result).isNotNull();
        return result == null ? detail.payload() : result;
    }

    @Test
    void listsDeadLettersBesideAnUnreadableOne() throws Exception {
        String good = run("fail", "t");
        String bad = run("fail", "t");
        change("UPDATE job SET payload = '1e99999999999', tags = '{' WHERE id = '" + bad + "'");
        change("UPDATE attempt SET failure = '[]' WHERE seq = (SELECT seq FROM job WHERE id = '" + bad + "')");

        assertThat(control.deadLetters(JobFilter.ALL).deadLetters()).extracting(dead -> dead.job().id())
                .containsExactly(bad, good);
        DeadLetterView shown = control.deadLetter(bad);
        JsonNode payload = shown.payload();
        assertThat(payload == null ? "" : payload.path("unreadable").asString()).contains("out of range");
        assertThat(shown.job().headers()).containsKey("heddle-damage");
    }

    @Test
    void listsABatchWhosePayloadIsUnreadable() throws Exception {
        String bad = control.submit(List.of(
                JobDraft.of("batch", ControlJson.tree("{\"n\":1}")).tags(Set.of(BatchSpec.TAG)))).jobs().getFirst()
                .id();

        assertThat(control.batches()).singleElement().satisfies(batch -> {
            assertThat(batch.id()).isEqualTo(bad);
            assertThat(batch.error()).contains("the payload of this batch cannot be read");
        });
        change("UPDATE job SET payload = '{oops'");
        assertThat(control.batches()).singleElement().satisfies(
                batch -> assertThat(batch.error()).contains("the payload of this batch cannot be read", "not JSON"));
    }

    @Test
    void listsANodeWhoseWorkersAreUnreadable() throws Exception {
        change("UPDATE node SET workers = 'oops'");
        change("INSERT INTO node (id, joined_at, renewed_at, lease_ms, workers) VALUES ('other', 0, 0, 1, '{')");
        assertThat(control.nodes()).hasSize(2);
    }
}
