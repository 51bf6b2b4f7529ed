package dev.heddle.postgres;

import java.util.ArrayDeque;
import java.util.Queue;

import dev.heddle.store.Store;
import dev.heddle.testkit.ManualClock;
import dev.heddle.testkit.PostgresServer.Version;
import dev.heddle.testkit.store.StoreContract;
import org.junit.jupiter.api.AfterEach;

class PostgresStoreContractTest extends StoreContract {

    /** Each holds connections, and the server has only so many. */
    private static final int MOST_LEFT = 3;

    private final Queue<Store> left = new ArrayDeque<>();
    private final Schemas schemas = new Schemas(version()).steerable();

    Version version() {
        return Version.V18;
    }

    @Override
    protected Store newStore() {
        return schemas.openNew();
    }

    /** Leaves the last stores open, like that of a node that hangs: only its lease tells that it is dead. */
    @Override
    protected Store reopen(Store store) {
        left.add(store);
        if (left.size() > MOST_LEFT) {
            left.remove().close();
        }
        return schemas.openAgain();
    }

    @Override
    protected void follow(Store store, ManualClock clock) {
        schemas.follow(clock);
    }

    @AfterEach
    void closeLeftStores() {
        left.forEach(Store::close);
        left.clear();
    }
}
