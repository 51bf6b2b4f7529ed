package dev.heddle.postgres;

import java.sql.SQLException;

import dev.heddle.sql.DamagedRowContract;
import dev.heddle.store.Store;
import dev.heddle.testkit.PostgresServer.Version;

import static org.assertj.core.api.Assertions.assertThat;

class PostgresDamagedRowTest extends DamagedRowContract {

    private final Schemas schemas = new Schemas(Version.V18);

    @Override
    protected Store open() {
        return schemas.schema().isEmpty() ? schemas.openNew() : schemas.openAgain();
    }

    @Override
    protected void change(String sql) throws SQLException {
        assertThat(schemas.change(sql)).isPositive();
    }
}
