package dev.heddle.testkit;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

import dev.heddle.testkit.PostgresServer.Version;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PostgresServerTest {

    private static String query(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @ParameterizedTest
    @EnumSource
    void keepsCommittedDataAcrossACrashAndLeavesNothingBehind(Version version) throws Exception {
        PostgresServer server = PostgresServer.start(version, "max_connections=20");
        List<Long> pids;
        try (server) {
            String url = server.createDatabase();
            assertThat(query(url, "SELECT version()")).startsWith("PostgreSQL " + version.major() + ".");
            assertThat(query(url, "SHOW max_connections")).isEqualTo("20");
            assertThat(query(url, "SHOW fsync")).isEqualTo("on");
            execute(url, "CREATE TABLE kept AS SELECT 42 AS answer");

            try (Connection client = DriverManager.getConnection(url)) {
                server.crash();
                assertThat(client.isValid(5)).isFalse();
            }
            assertThatThrownBy(() -> query(url, "SELECT 1")).isInstanceOf(SQLException.class);
            server.start();
            assertThat(query(url, "SELECT answer FROM kept")).isEqualTo("42");

            server.restart();
            assertThat(query(url, "SELECT answer FROM kept")).isEqualTo("42");
            pids = ProcessHandle.of(server.pid()).orElseThrow().descendants().map(ProcessHandle::pid).toList();
            assertThat(pids).isNotEmpty();
            server.crash();
        }
        assertThat(pids).noneMatch(PostgresProcess::exists);
        assertThat(server.directory()).doesNotExist();
        assertThatThrownBy(() -> query(server.url(), "SELECT 1")).isInstanceOf(SQLException.class);
    }

    @Test
    void sharesOneServerWithSeparateDatabases() throws Exception {
        PostgresServer server = PostgresServer.shared(Version.V18);
        assertThat(PostgresServer.shared(Version.V18)).isSameAs(server);

        String one = server.createDatabase();
        execute(one, "CREATE TABLE mine (id int)");
        assertThat(query(server.createDatabase(), "SELECT to_regclass('mine')")).isNull();
    }

    @Test
    void requiresAPasswordFromEveryRoleButPostgres() throws Exception {
        PostgresServer server = PostgresServer.shared(Version.V18);
        execute(server.url(), "CREATE ROLE ann LOGIN PASSWORD 'secret'");
        String ann = server.url().replace("user=postgres", "user=ann");

        assertThat(query(ann + "&password=secret", "SELECT current_user")).isEqualTo("ann");
        assertThatThrownBy(() -> query(ann + "&password=wrong", "SELECT 1")).isInstanceOf(SQLException.class)
                .extracting(e -> ((SQLException) e).getSQLState()).isEqualTo("28P01");
    }

    @Test
    void doesNotAnswerWhileSuspended() throws Exception {
        PostgresServer server = PostgresServer.shared(Version.V18);
        try (Connection client = DriverManager.getConnection(server.url())) {
            server.suspend();
            try {
                assertThatThrownBy(() -> query(server.url() + "&loginTimeout=1", "SELECT 1"))
                        .isInstanceOf(SQLException.class);
            } finally {
                server.resume();
            }
            assertThat(client.isValid(30)).isTrue();
        }
    }

    @Test
    void outlivesTheThreadThatStartedItButNotAKilledJvm() throws Exception {
        long pid;
        Path directory;
        try (ChildJvm child = ChildJvm.start(ServerStarter.class)) {
            child.awaitLine("started"::equals);
            pid = Long.parseLong(child.lines().get(0));
            directory = Path.of(child.lines().get(1));
            assertThat(query(child.lines().get(2), "SELECT 1")).isEqualTo("1");
            child.kill();
        }
        try {
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !PostgresProcess.exists(pid));
        } finally {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            Directories.delete(directory);
        }
    }

    static final class ServerStarter {

        private ServerStarter() {}

        public static void main(String[] arguments) throws Exception {
            Thread starter = Thread.ofPlatform().start(() -> {
                PostgresServer server = PostgresServer.start(Version.V18);
                System.out.println(server.pid());
                System.out.println(server.directory());
                System.out.println(server.url());
            });
            starter.join();
            System.out.println("started");
            Thread.sleep(Duration.ofMinutes(5));
        }
    }
}
