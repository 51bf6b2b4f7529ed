package dev.heddle.server;

import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.postgres.PostgresStore;
import dev.heddle.store.Store;
import dev.heddle.testkit.PostgresServer;

/** Nodes on a PostgreSQL database. */
class PostgresClusterEventsTest extends ClusterEventsContract {

    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private final String schema = "events_" + SCHEMAS.incrementAndGet();

    @Override
    Store connect() {
        return PostgresStore.builder().url(PostgresServer.shared(PostgresServer.Version.V18).url()).schema(schema)
                .open();
    }
}
