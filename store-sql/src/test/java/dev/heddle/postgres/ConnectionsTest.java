package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.SQLException;

import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ConnectionsTest {

    private final Schemas schemas = new Schemas(Version.V18);

    private Connections connections() throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(schemas.url());
        try (Connection connection = source.getConnection()) {
            return new Connections(source, null,
                    new PostgresDialect(schemas.schema(), PlanCaching.FRESH, PostgresDialect.SERVER_CLOCK),
                    DatabaseAddress.of(connection, schemas.schema()));
        }
    }

    @Test
    void rollBackAfterAnError() throws SQLException {
        try (PostgresStore _ = schemas.openNew(); Connections connections = connections()) {
            assertThatThrownBy(() -> connections.write(tx -> {
                tx.update("INSERT INTO heddle.paused_queue VALUES ('mail', 'a', now())");
                throw new StackOverflowError("deep");
            })).isInstanceOf(StackOverflowError.class);

            assertThat(connections.<Integer>write(tx -> tx.update("DELETE FROM heddle.paused_queue"))).isZero();
        }
    }
}
