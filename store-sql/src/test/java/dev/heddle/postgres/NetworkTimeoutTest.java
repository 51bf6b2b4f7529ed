package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class NetworkTimeoutTest {

    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connection = DriverManager.getConnection(new Schemas(Version.V18).url());
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    @Timeout(25)
    void givesUpOnAServerThatDoesNotAnswer() throws SQLException {
        try (Statement statement = connection.createStatement();
                NetworkTimeout _ = NetworkTimeout.limit(connection, Duration.ofMillis(200))) {
            assertThatThrownBy(() -> statement.execute("SELECT pg_sleep(30)")).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void restoresTheTimeoutOfTheConnection() throws SQLException {
        try (NetworkTimeout _ = NetworkTimeout.limit(connection, Duration.ofSeconds(7))) {
            assertThat(connection.getNetworkTimeout()).isEqualTo(7_000);
        }
        assertThat(connection.getNetworkTimeout()).isZero();
    }

    @Test
    void keepsAShorterTimeout() throws SQLException {
        connection.setNetworkTimeout(Runnable::run, 2_000);
        try (NetworkTimeout _ = NetworkTimeout.limit(connection, Duration.ofSeconds(7))) {
            assertThat(connection.getNetworkTimeout()).isEqualTo(2_000);
        }
        assertThat(connection.getNetworkTimeout()).isEqualTo(2_000);
    }
}
