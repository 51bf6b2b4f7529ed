package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

import dev.heddle.job.JobException;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Two roles, as docs/operations/postgresql.md sets them up: one owns the schema, the other may only use the tables. */
class RolesTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final JobType<Integer, Integer> TWICE = JobType.of("twice", Integer.class, Integer.class);

    private final String database = PostgresServer.shared(Version.V18).createDatabase();
    private final String suffix = Long.toString(System.nanoTime(), Character.MAX_RADIX);
    private final String owner = "migrate_" + suffix;
    private final String user = "run_" + suffix;

    private String urlOf(String role) {
        return database.replace("user=postgres", "user=" + role + "&password=" + role);
    }

    private void execute(String role, List<String> statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(urlOf(role));
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql.replace("heddle_migrate", owner).replace("heddle_run", user));
            }
        }
    }

    @BeforeEach
    void createRoles() throws SQLException {
        execute("postgres", List.of("CREATE ROLE heddle_migrate LOGIN PASSWORD 'heddle_migrate'",
                "CREATE ROLE heddle_run LOGIN PASSWORD 'heddle_run'",
                "CREATE SCHEMA heddle AUTHORIZATION heddle_migrate"));
        execute(owner, List.of("GRANT USAGE ON SCHEMA heddle TO heddle_run",
                "ALTER DEFAULT PRIVILEGES IN SCHEMA heddle GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO heddle_run",
                "ALTER DEFAULT PRIVILEGES IN SCHEMA heddle GRANT USAGE ON SEQUENCES TO heddle_run"));
    }

    @Test
    void theRoleOfTheNodesRunsJobs() throws Exception {
        PostgresStore.at(urlOf(owner)).close();
        try (Pool pool = Pool.on(PostgresStore.at(urlOf(user))).register(TWICE, (number, job) -> {
            if (number < 0) {
                throw JobException.permanent("negative");
            }
            return 2 * number;
        }).open()) {
            assertThat(pool.submit(TWICE, 21).await(LONG)).isEqualTo(42);
            JobHandle<Integer> failed = pool.submit(TWICE, -1);
            assertThat(failed.awaitEnd(LONG).state()).isEqualTo(JobState.FAILED);
            pool.admin().delete(failed.id());
            assertThat(pool.find(failed.id())).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CREATE TABLE heddle.mine (id int)", "ALTER TABLE heddle.job ADD COLUMN mine int",
        "DROP TABLE heddle.job", "TRUNCATE heddle.job CASCADE",
        "CREATE FUNCTION heddle.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'"})
    void theRoleOfTheNodesCannotChangeTheSchema(String sql) {
        PostgresStore.at(urlOf(owner)).close();

        assertThatThrownBy(() -> execute(user, List.of(sql))).isInstanceOf(SQLException.class)
                .hasMessageMatching("(?s).*(permission denied|must be owner).*");
    }

    @Test
    void theRoleOfTheNodesIsToldThatTheSchemaIsMissing() {
        assertThatThrownBy(() -> PostgresStore.at(urlOf(user)).close()).hasMessageContaining("missing privileges on ");
    }
}
