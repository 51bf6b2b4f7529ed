package dev.heddle.postgres;

import dev.heddle.testkit.PostgresServer.Version;

/** The oldest version that is supported. */
class OldestPostgresStoreContractTest extends PostgresStoreContractTest {

    @Override
    Version version() {
        return Version.V14;
    }
}
