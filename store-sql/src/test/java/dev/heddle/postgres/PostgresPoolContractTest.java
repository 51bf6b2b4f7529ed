package dev.heddle.postgres;

import dev.heddle.store.Store;
import dev.heddle.testkit.ManualClock;
import dev.heddle.testkit.PostgresServer.Version;
import dev.heddle.testkit.pool.PoolContract;

class PostgresPoolContractTest extends PoolContract {

    private final Schemas schemas = new Schemas(Version.V18).steerable();

    @Override
    protected Store newStore() {
        return schemas.openNew();
    }

    @Override
    protected Store openAgain() {
        return schemas.openAgain();
    }

    @Override
    protected void follow(ManualClock clock) {
        schemas.follow(clock);
    }

    @Override
    protected boolean isShared() {
        return true;
    }
}
