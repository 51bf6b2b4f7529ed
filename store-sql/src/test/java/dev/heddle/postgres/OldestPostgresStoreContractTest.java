package dev.heddle.postgres;

import dev.heddle.testkit.PostgresServer.Version;

/** Runs the contract on the oldest supported version. */
class OldestPostgresStoreContractTest extends PostgresStoreContractTest {

    @Override
    Version version() {
        return Version.V14;
    }
}
