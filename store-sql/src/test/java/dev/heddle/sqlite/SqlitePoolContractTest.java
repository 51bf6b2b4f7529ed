package dev.heddle.sqlite;

import java.nio.file.Path;

import dev.heddle.store.Store;
import dev.heddle.testkit.pool.PoolContract;
import org.junit.jupiter.api.io.TempDir;

class SqlitePoolContractTest extends PoolContract {

    @TempDir
    private Path directory;

    @Override
    protected Store newStore() {
        return openAgain();
    }

    @Override
    protected Store openAgain() {
        return SqliteStore.at(directory.resolve("jobs.db"));
    }
}
