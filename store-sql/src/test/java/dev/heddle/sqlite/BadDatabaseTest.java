package dev.heddle.sqlite;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.store.StoreException;
import dev.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Files that cannot be used: each fails with a clear message, and nothing is lost or changed. */
class BadDatabaseTest {

    private static final JobType<String, String> ECHO = JobType.of("echo", String.class, String.class);

    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("jobs.db");
    }

    private static void assertRefused(Path file, StoreException.Kind kind, String... parts) {
        assertThatThrownBy(() -> SqliteStore.at(file)).isInstanceOfSatisfying(StoreException.class, e -> {
            assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind);
            assertThat(e.getMessage()).contains(file.toString()).contains(parts).doesNotContain("\n");
        });
    }

    @Test
    void refusesADirectory() {
        assertRefused(directory, StoreException.Kind.UNREACHABLE, "is a directory", "heddle.db");
    }

    @Test
    void createsMissingDirectories() {
        Path deep = directory.resolve("a/b/jobs.db");
        SqliteStore.at(deep).close();

        assertThat(deep).exists();
    }

    @Test
    void refusesASecondNodeAtOnceAndNamesTheProcessOfTheFirst() {
        try (SqliteStore first = SqliteStore.at(file())) {
            assertRefused(file(), StoreException.Kind.IN_USE, "in use by another node",
                    "process " + ProcessHandle.current().pid());
            assertThat(first.countJobs().live()).isEmpty();
        }
        SqliteStore.at(file()).close();
    }

    @Test
    void refusesAFileThatIsNotADatabase() throws Exception {
        Files.writeString(file(), "this is not a database, but long enough to look at. ".repeat(100));

        assertRefused(file(), StoreException.Kind.CORRUPT, "not a valid SQLite database", "restore a backup");
    }

    @Test
    void reportsAFileWhosePagesWereOverwritten() throws Exception {
        try (Pool pool = Pool.on(SqliteStore.at(file())).open()) {
            for (int i = 0; i < 500; i++) {
                pool.submit(ECHO, "x".repeat(100));
            }
        }
        try (RandomAccessFile raw = new RandomAccessFile(file().toFile(), "rw")) {
            for (long at = 4096; at < raw.length(); at += 4096) {
                raw.seek(at);
                raw.write(new byte[4096]);
            }
        }

        assertThatThrownBy(() -> Pool.on(SqliteStore.at(file())).open()).isInstanceOfSatisfying(StoreException.class,
                e -> {
                    assertThat(e.kind()).isEqualTo(StoreException.Kind.CORRUPT);
                    assertThat(e.getMessage()).contains(file().toString()).contains("restore a backup");
                });
        SqliteStore.at(directory.resolve("other.db")).close();
    }

    @Test
    void refusesTheDatabaseOfAnotherProgram() throws Exception {
        execute("CREATE TABLE theirs (x)");

        assertRefused(file(), StoreException.Kind.FOREIGN, "another program", "choose another file");
    }

    @Test
    void refusesANewerSchemaAndDoesNotChangeIt() throws Exception {
        SqliteStore.at(file()).close();
        execute("PRAGMA user_version = 999");

        assertRefused(file(), StoreException.Kind.FOREIGN, "schema version 999", "use a newer Heddle");
        assertRefused(file(), StoreException.Kind.FOREIGN, "schema version 999");
    }

    private void execute(String sql) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Uses a read-only mount in a new namespace, because root ignores mode bits. */
    @Test
    void refusesAReadOnlyDirectory() {
        SqliteStore.at(file()).close();
        String mount = "mount --bind " + directory + " " + directory + " && mount -o remount,ro,bind " + directory;

        assertThat(runIn(mount, Opener.class)).contains("READ_ONLY").contains(file().toString())
                .contains("read-only; make it writable");
    }

    @Test
    void reportsAFullDiskAndGoesOnOnceThereIsSpace() {
        String mount = "mount -t tmpfs -o size=4m tmpfs " + directory;

        assertThat(runIn(mount, Filler.class)).contains("FULL").contains("no space left for " + file())
                .contains("all acknowledged jobs completed");
    }

    private String runIn(String mount, Class<?> main) {
        List<String> prefix = List.of("unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
                mount + " && exec \"$@\"", "sh");
        try (ChildJvm child = ChildJvm.startIn(prefix, main, file().toString())) {
            assertThat(child.exitCode(Duration.ofMinutes(3))).as("%s", child.lines()).isZero();
            return String.join("\n", child.lines());
        }
    }

    /** Tries to open the store, and prints the error. */
    static final class Opener {
        private Opener() {}

        public static void main(String[] args) {
            try (SqliteStore store = SqliteStore.at(Path.of(args[0]))) {
                System.out.println("opened with " + store.countJobs());
            } catch (StoreException e) {
                System.out.println(e.kind() + " " + e.getMessage());
            }
        }
    }

    /** Submits until the disk is full, frees space, and completes all acknowledged jobs. */
    static final class Filler {
        private Filler() {}

        public static void main(String[] args) throws Exception {
            Path filler = Path.of(args[0]).resolveSibling("filler");
            Files.write(filler, new byte[2_000_000]);
            int acknowledged = 0;
            try (Pool pool = Pool.on(SqliteStore.at(Path.of(args[0]))).register(ECHO, (text, job) -> "ok").open()) {
                try {
                    while (true) {
                        pool.submit(ECHO, "x".repeat(10_000));
                        acknowledged++;
                    }
                } catch (StoreException e) {
                    System.out.println(e.kind() + " " + e.getMessage());
                }
                Files.delete(filler);
                pool.submit(ECHO, "after").await(Duration.ofSeconds(60));
                boolean idle = pool.awaitIdle(Duration.ofSeconds(60));
                if (idle && pool.stats().completed() == acknowledged + 1) {
                    System.out.println("all acknowledged jobs completed");
                } else {
                    System.out.println(pool.stats() + " of " + acknowledged);
                }
            }
        }
    }
}
