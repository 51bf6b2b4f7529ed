package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;

import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Heddle's own connections have their own limits of time, whatever those of the database are. */
class TimeLimitsTest {

    private static final JobType<String, String> ECHO = JobType.of("echo", String.class, String.class);

    @Test
    void worksOnADatabaseWhoseOwnLimitsAreTooShort() throws Exception {
        String url = PostgresServer.shared(Version.V18).createDatabase();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet name = statement.executeQuery("SELECT current_database()")) {
            name.next();
            String database = name.getString(1);
            for (String limit : new String[]{"statement_timeout", "lock_timeout",
                "idle_in_transaction_session_timeout"}) {
                statement.execute("ALTER DATABASE " + database + " SET " + limit + " = 1");
            }
        }

        PostgresStore store = PostgresStore.builder().url(url).open();
        try (Pool pool = Pool.on(store).register(ECHO, (text, job) -> text).open()) {
            assertThat(pool.submit(ECHO, "hello").await(Duration.ofSeconds(30))).isEqualTo("hello");
            assertThat(show(store, "statement_timeout")).isEqualTo("1min");
            assertThat(show(store, "lock_timeout")).isEqualTo("30s");
            assertThat(show(store, "idle_in_transaction_session_timeout")).isEqualTo("5s");
        }
    }

    private static String show(PostgresStore store, String setting) {
        return store.read(tx -> {
            try (ResultSet row = tx.query("SHOW " + setting)) {
                row.next();
                return row.getString(1);
            }
        });
    }
}
