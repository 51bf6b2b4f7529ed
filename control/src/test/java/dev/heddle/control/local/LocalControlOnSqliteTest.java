package dev.heddle.control.local;

import java.nio.file.Path;

import dev.heddle.control.Control;
import dev.heddle.control.ControlContract;
import dev.heddle.pool.Pool;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.Store;
import org.junit.jupiter.api.io.TempDir;

class LocalControlOnSqliteTest extends ControlContract {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's
    private Path directory;

    @Override
    protected Store newStore() {
        return SqliteStore.at(directory.resolve("jobs.db"));
    }

    @Override
    protected Control control(Pool pool) {
        return LocalControl.on(pool);
    }
}
