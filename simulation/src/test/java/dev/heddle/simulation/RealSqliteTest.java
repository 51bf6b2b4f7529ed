package dev.heddle.simulation;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The simulated workloads on a file of SQLite, with a real node that is killed again and again. */
class RealSqliteTest {

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    @Test
    void violatesNothing() throws Exception {
        RealStoreRuns.play("RealSqliteTest", directory, RealStore.Sqlite::new);
    }
}
