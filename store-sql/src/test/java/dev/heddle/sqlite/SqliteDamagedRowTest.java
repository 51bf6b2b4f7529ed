package dev.heddle.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.sql.DamagedRowContract;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class SqliteDamagedRowTest extends DamagedRowContract {

    private static final JobType<String, String> NOTE = JobType.of("note", String.class, String.class);

    @TempDir
    private Path directory;

    @Override
    protected Store open() {
        return SqliteStore.at(file());
    }

    private Path file() {
        return directory.resolve("jobs.db");
    }

    @Override
    protected void change(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 10000");
            assertThat(statement.executeUpdate(sql.replace("heddle.", ""))).isPositive();
        }
    }

    /** PostgreSQL has types that rule this out. */
    @Test
    void survivesAnIdAndJsonThatAreNone() throws Exception {
        try (Pool submitting = Pool.on(open()).open()) {
            for (String text : new String[]{"bad id", "bad json", "good"}) {
                submitting.submit(NOTE.with(text).subject(text).tags("tagged"));
            }
        }
        change("UPDATE job SET id = 'oops' WHERE subject = 'bad id'");
        change("UPDATE job SET tags = '[\"tag' WHERE subject = 'bad json'");
        change("UPDATE live SET suspicion = 'oops'");
        try (Pool running = Pool.on(open()).register(NOTE, (text, job) -> "ok").open()) {
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> running.admin().list(JobQuery.all()).stream()
                    .allMatch(job -> job.state().isFinal()));
            assertThat(running.admin().list(JobQuery.all())).extracting(Job::state).containsExactly(
                    JobState.COMPLETED, JobState.FAILED, JobState.FAILED);
        }
    }
}
