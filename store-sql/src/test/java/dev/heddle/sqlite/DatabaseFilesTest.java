package dev.heddle.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.store.JobQuery;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import dev.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What others do to the files of a database, while a node uses them and after it was killed. */
class DatabaseFilesTest {

    private static final JobType<String, String> NOTE = JobType.of("note", String.class, String.class);

    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("jobs.db");
    }

    private Path log() {
        return directory.resolve("jobs.db-wal");
    }

    private Path index() {
        return directory.resolve("jobs.db-shm");
    }

    private static void assertRefused(Path file, Kind kind, String... parts) {
        assertThatThrownBy(() -> SqliteStore.at(file).close()).isInstanceOfSatisfying(StoreException.class, e -> {
            assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind);
            assertThat(e.getMessage()).contains(parts).doesNotContain("\n");
        });
    }

    @Test
    void onlyTheirOwnerMayReadTheFiles() throws Exception {
        try (SqliteStore store = SqliteStore.at(file()); Pool pool = Pool.on(store).open()) {
            pool.submit(NOTE, "confidential");
            for (Path file : List.of(file(), log(), index())) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).as("%s", file)
                        .isEqualTo("rw-------");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jobs.db", "jobs.db-wal"})
    void acknowledgesNothingOnceAFileIsDeleted(String name) throws Exception {
        try (SqliteStore store = SqliteStore.at(file()); Pool pool = Pool.on(store).open()) {
            pool.submit(NOTE, "before");
            Files.delete(directory.resolve(name));

            assertGone(pool);
            assertThat(directory.resolve(name)).as("not created again").doesNotExist();
        }
        assertThat(directory.resolve(name)).doesNotExist();
    }

    @Test
    void acknowledgesNothingOnceTheFileIsReplaced() throws Exception {
        Path backup = directory.resolve("backup.db");
        try (SqliteStore store = SqliteStore.at(file()); Pool pool = Pool.on(store).open()) {
            pool.submit(NOTE, "before");
            SqliteFile.at(file()).backUpTo(backup);
            Files.move(backup, file(), StandardCopyOption.REPLACE_EXISTING);

            assertGone(pool);
        }
    }

    @Test
    void doesNotGoOnWithAFileThatWasAwayForAWhile() throws Exception {
        Path aside = directory.resolve("aside.db");
        try (SqliteStore store = SqliteStore.at(file()); Pool pool = Pool.on(store).open()) {
            Files.move(file(), aside);
            assertGone(pool);
            Files.move(aside, file());
            assertGone(pool);
        }
        SqliteStore.at(file()).close();
    }

    private static void assertGone(Pool pool) {
        assertThatThrownBy(() -> pool.submit(NOTE, "after")).isInstanceOfSatisfying(StoreException.class, e -> {
            assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(e.getMessage()).contains("was deleted or replaced", "restore a backup");
        });
        assertThatThrownBy(() -> pool.admin().list(JobQuery.all())).isInstanceOf(StoreException.class)
                .hasMessageContaining("was deleted or replaced");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isLockedUnderEveryName(boolean symbolic) throws Exception {
        Path other = Files.createDirectory(directory.resolve("elsewhere")).resolve("other.db");
        try (ChildJvm _ = startNode()) {
            link(other, symbolic);
            assertRefused(other, Kind.IN_USE, other.toString(), "in use by another node");
            assertRefused(file(), Kind.IN_USE, file().toString(), "in use by another node");
        }
    }

    @Test
    void isLockedWhereOnlyTheFileIsMounted() throws Exception {
        Path other = Files.createFile(Files.createDirectory(directory.resolve("elsewhere")).resolve("other.db"));
        List<String> mounted = List.of("unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
                "mount --bind " + file() + " " + other + " && exec \"$@\"", "sh");
        try (SqliteStore _ = SqliteStore.at(file());
                ChildJvm child = ChildJvm.startIn(mounted, Node.class, other.toString())) {
            assertThat(child.exitCode(Duration.ofMinutes(1))).as("%s", child.lines()).isNotZero();
            assertThat(String.join("\n", child.lines())).contains(other + " is in use by another node");
        }
    }

    /** A handle that is closed in this process would release its locks, and those of SQLite. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void staysLockedAfterThisProcessWasRefused(boolean symbolic) throws Exception {
        Path other = directory.resolve("other.db");
        try (SqliteStore _ = SqliteStore.at(file())) {
            link(other, symbolic);
            assertRefused(file(), Kind.IN_USE, "process " + ProcessHandle.current().pid());
            assertRefused(other, Kind.IN_USE, "process " + ProcessHandle.current().pid());
            try (ChildJvm child = ChildJvm.start(Node.class, other.toString())) {
                assertThat(child.exitCode(Duration.ofMinutes(1))).as("%s", child.lines()).isNotZero();
                assertThat(String.join("\n", child.lines())).contains("in use by another node");
            }
        }
        Files.delete(other);
        SqliteStore.at(file()).close();
    }

    @Test
    void keepsItsLogBesideTheRealFileOfASymbolicLink() throws Exception {
        Path other = Files.createDirectory(directory.resolve("elsewhere")).resolve("other.db");
        SqliteStore.at(file()).close();
        link(other, true);
        try (Pool pool = Pool.on(SqliteStore.at(other)).open()) {
            pool.submit(NOTE, "by the link");
            assertThat(log()).exists();
            try (Stream<Path> files = Files.list(other.getParent())) {
                assertThat(files).containsExactly(other);
            }
        }
        try (SqliteStore store = SqliteStore.at(file())) {
            assertThat(store.list(JobQuery.all())).hasSize(1);
        }
    }

    /** Its log would be looked for beside each of its names. */
    @Test
    void refusesAFileWithTwoNames() throws Exception {
        SqliteStore.at(file()).close();
        Path other = directory.resolve("other.db");
        link(other, false);

        assertRefused(file(), Kind.UNREACHABLE, "has 2 names", "delete all but");
        Files.delete(other);
        SqliteStore.at(file()).close();
    }

    private void link(Path name, boolean symbolic) throws IOException {
        if (symbolic) {
            Files.createSymbolicLink(name, file());
        } else {
            Files.createLink(name, file());
        }
    }

    @Test
    void isAStoreWithoutItsLogFromTheStart() throws Exception {
        Path copy = directory.resolve("copy.db");
        try (SqliteStore _ = SqliteStore.at(file())) {
            Files.copy(file(), copy);
        }
        assertThat(SqliteFile.at(copy).schemaVersion()).isEqualTo(SqliteFile.latestSchemaVersion());
    }

    @Test
    void refusesToOpenWithoutTheLogOfAKilledNode() throws Exception {
        killNode();
        Path aside = Files.move(log(), directory.resolve("aside"));

        assertRefused(file(), Kind.CORRUPT, log() + " is missing", "put it back", "delete " + index());
        Files.move(aside, log());
        assertThat(jobs()).isEqualTo(10);
    }

    @Test
    void opensWithoutTheLogOfAKilledNodeIfToldTo() throws Exception {
        killNode();
        Files.delete(log());
        Files.delete(index());

        assertThat(jobs()).isZero();
    }

    @Test
    void opensAfterAnotherProgramHasTakenOverTheLogOfAKilledNode() throws Exception {
        killNode();
        assertThat(SqliteFile.at(file()).schemaVersion()).isEqualTo(SqliteFile.latestSchemaVersion());
        assertThat(log()).as("SQLite deletes it with the last connection").doesNotExist();

        assertThat(jobs()).isEqualTo(10);
    }

    @Test
    void refusesToOpenABackupWithTheLogOfAKilledNode() throws Exception {
        SqliteStore.at(file()).close();
        Path backup = directory.resolve("backup.db");
        SqliteFile.at(file()).backUpTo(backup);
        killNode();
        Files.move(backup, file(), StandardCopyOption.REPLACE_EXISTING);

        assertRefused(file(), Kind.CORRUPT, "was replaced", "delete " + log() + " and " + index());
        Files.delete(log());
        Files.delete(index());
        assertThat(jobs()).isZero();
    }

    @Test
    void opensACopyOfAllFilesOfAKilledNodeIfToldTo() throws Exception {
        killNode();
        Path copies = Files.createDirectory(directory.resolve("copies"));
        for (String name : new String[]{"jobs.db", "jobs.db-wal", "jobs.db-shm", "jobs.db.lock"}) {
            Files.copy(directory.resolve(name), copies.resolve(name));
        }

        assertRefused(copies.resolve("jobs.db"), Kind.CORRUPT, "if all files were copied together");
        Files.delete(copies.resolve("jobs.db.lock"));
        try (SqliteStore store = SqliteStore.at(copies.resolve("jobs.db"))) {
            assertThat(store.list(JobQuery.all())).hasSize(10);
        }
    }

    private int jobs() {
        try (SqliteStore store = SqliteStore.at(file())) {
            return store.list(JobQuery.all()).size();
        }
    }

    private ChildJvm startNode() {
        ChildJvm node = ChildJvm.start(Node.class, file().toString());
        node.awaitLine(Node.READY::equals);
        return node;
    }

    private void killNode() {
        try (ChildJvm node = startNode()) {
            node.kill();
        }
    }

    /** Stores ten jobs, and stays until it is killed. */
    static final class Node {
        static final String READY = "READY";

        private Node() {}

        public static void main(String[] args) throws InterruptedException {
            try (Pool pool = Pool.on(SqliteStore.at(Path.of(args[0]))).open()) {
                for (int i = 0; i < 10; i++) {
                    pool.submit(NOTE, "n" + i);
                }
                System.out.println(READY);
                new CountDownLatch(1).await();
            }
        }
    }
}
