package dev.heddle.cli.serve;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;

import dev.heddle.postgres.PostgresStore;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.testkit.PgBouncer;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import dev.heddle.testkit.Torture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kills nodes with SIGKILL, again and again, while they run commands, external workers, sessions, batches and durable
 * steps, while their clock jumps, and while their disk fills up or a pooler stands before their database.
 */
@Timeout(7_200)
class TortureTest {

    private static final Duration LONGEST = Duration.ofHours(2);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;
    /** A directory that everybody may read, and that is never full. */
    @TempDir
    private Path outside;

    /** The nodes, and the JVM that kills them, see a disk of their own that is small enough to fill. */
    @Test
    void losesNothingOnSqlite() {
        Random random = Torture.random("TortureTest, SQLite");
        String mount = "mount -t tmpfs -o size=1g tmpfs " + directory + " && exec \"$@\"";
        try (ChildJvm run = ChildJvm.startIn(
                List.of("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh"),
                SqliteTorture.class, directory.toString(), "" + random.nextLong(), "" + Torture.rounds(8, 1_000),
                outside.resolve("log").toString())) {
            int exit = run.exitCode(LONGEST);
            run.lines().stream().filter(line -> exit != 0 || line.startsWith("torture:")).forEach(System.out::println);
            assertThat(exit).as("see the output above").isZero();
        }
    }

    @Test
    void losesNothingOnPostgresql() throws Exception {
        Random random = Torture.random("TortureTest, PostgreSQL");
        int kills = Torture.rounds(6, 200);
        Path log = directory.resolve("log");
        try (PostgresServer server = PostgresServer.start(Version.V18)) {
            String url = server.createDatabase();
            try (PgBouncer bouncer = PgBouncer.start(outside, url)) {
                TortureRun run = new TortureRun(random, kills,
                        List.of(TortureSite.create(directory.resolve("direct"), log, postgresql(url)),
                                TortureSite.create(directory.resolve("pooled"), log, postgresql(bouncer.url()))),
                        () -> false);
                run.kill();
                try (PostgresStore store = PostgresStore.at(url)) {
                    run.check(store, log);
                }
            }
        }
    }

    private static String postgresql(String url) {
        return "postgresql: {url: '" + url + "'}";
    }
}
