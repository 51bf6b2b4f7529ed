package dev.heddle.simulation;

import java.nio.file.Path;

import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The simulated workloads on PostgreSQL, with two or three real nodes that are killed again and again. */
class RealPostgresTest {

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    @Test
    void violatesNothing() throws Exception {
        PostgresServer server = PostgresServer.shared(Version.V18);
        RealStoreRuns.play("RealPostgresTest", directory, _ -> new RealStore.Postgres(server.createDatabase()));
    }
}
