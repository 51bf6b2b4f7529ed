package dev.heddle.postgres;

import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;

/** A schema for each test on one server: cheaper than a database each. */
final class Schemas {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String url;
    private String schema = "";

    Schemas(Version version) {
        this.url = PostgresServer.shared(version).url();
    }

    PostgresStore openNew() {
        schema = "test_" + COUNT.incrementAndGet();
        return openAgain();
    }

    PostgresStore openAgain() {
        return builder().open();
    }

    /** For what {@link #openNew} opened last. */
    PostgresStoreBuilder builder() {
        return PostgresStore.builder().url(url).schema(schema).connections(8);
    }

    String schema() {
        return schema;
    }

    String url() {
        return url;
    }
}
