package dev.heddle.sqlite;

import java.nio.file.Path;

import dev.heddle.store.Store;
import dev.heddle.testkit.store.StoreContract;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreContractTest extends StoreContract {

    @TempDir
    private Path directory;

    @Override
    protected Store newStore() {
        return SqliteStore.at(directory.resolve("jobs.db"));
    }

    @Override
    protected Store reopen(Store store) {
        store.close();
        return newStore();
    }
}
