package dev.heddle.postgres;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Renewal;
import dev.heddle.store.StoreListener;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** A node whose schema a newer Heddle migrates while it runs. */
class SchemaWatchTest {

    private static final NodeRecord NODE = new NodeRecord("node-1", Instant.EPOCH, Instant.EPOCH,
            Duration.ofMinutes(1), "[]");

    private final Schemas schemas = new Schemas(Version.V18);
    private final Logger logger = (Logger) LoggerFactory.getLogger(SchemaWatch.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(logged);
    }

    @Test
    void saysSoOnceAndGoesOn() throws SQLException {
        try (PostgresStore store = schemas.openNew()) {
            store.join(NODE, StoreListener.none());
            assertThat(store.renew(NODE)).isInstanceOf(Renewal.Renewed.class);
            assertThat(logged.list).isEmpty();

            schemas.change("INSERT INTO heddle.schema_version (version) VALUES (99)");

            for (int i = 0; i < 3; i++) {
                assertThat(store.renew(NODE)).as("in a rolling upgrade").isInstanceOf(Renewal.Renewed.class);
            }
            assertThat(logged.list).extracting(ILoggingEvent::getFormattedMessage).singleElement().asString()
                    .contains("now has version 99", "up to " + Migrations.latest(),
                            "restart it with the newer Heddle");
        }
    }
}
