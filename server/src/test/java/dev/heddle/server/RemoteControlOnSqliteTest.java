package dev.heddle.server;

import java.nio.file.Path;

import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.Store;
import org.junit.jupiter.api.io.TempDir;

class RemoteControlOnSqliteTest extends RemoteControlTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's
    private Path directory;

    @Override
    protected Store newStore() {
        return SqliteStore.at(directory.resolve("jobs.db"));
    }
}
