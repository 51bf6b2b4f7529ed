package dev.heddle.sqlite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.store.JobQuery;
import dev.heddle.store.StoreException;
import dev.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SqliteFileTest {

    private static final JobType<String, Void> NOTE = JobType.of("note", String.class);

    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("jobs.db");
    }

    @Test
    void reportsAMissingDirectoryForTheCopy() {
        SqliteStore.at(file()).close();
        Path nowhere = directory.resolve("nowhere");

        assertThatThrownBy(() -> SqliteFile.at(file()).backUpTo(nowhere.resolve("copy.db")))
                .isInstanceOf(StoreException.class).hasMessage(
                        "the directory " + nowhere + " does not exist; create it, or choose another for the backup");
    }

    @Test
    void copiesAFileThatANodeUses() throws Exception {
        Path copy = directory.resolve("copy.db");
        try (Pool pool = Pool.on(SqliteStore.at(file())).open()) {
            pool.submitAll(IntStream.range(0, 50).mapToObj(i -> NOTE.with("n" + i)).toList());
            SqliteFile.at(file()).backUpTo(copy);
            pool.submit(NOTE, "after the copy");
            assertThat(pool.admin().list(JobQuery.all())).hasSize(51);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy))).isEqualTo("rw-------");
        try (SqliteStore restored = SqliteStore.at(copy)) {
            assertThat(restored.list(JobQuery.all())).hasSize(50);
        }
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(Path::getFileName).map(Path::toString)).noneMatch(name -> name.endsWith(".part"));
        }
    }

    /** Backs up to a disk that is too small, and prints the error and the files that are left. */
    static final class CrampedBackup {
        private CrampedBackup() {}

        public static void main(String[] args) throws Exception {
            Path copy = Path.of(args[1]);
            try {
                SqliteFile.at(Path.of(args[0])).backUpTo(copy);
            } catch (StoreException e) {
                System.out.println(e.kind() + " " + e.getMessage());
            }
            try (Stream<Path> left = Files.list(copy.getParent())) {
                System.out.println("left: " + left.toList());
            }
        }
    }

    @Test
    void leavesNothingOnADiskThatIsTooSmallForTheCopy() throws Exception {
        try (Pool pool = Pool.on(SqliteStore.at(file())).open()) {
            pool.submitAll(IntStream.range(0, 300).mapToObj(i -> NOTE.with("n".repeat(10_000))).toList());
        }
        Path small = Files.createDirectory(directory.resolve("small"));
        Path copy = small.resolve("copy.db");
        List<String> prefix = List.of("unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
                "mount -t tmpfs -o size=1m tmpfs " + small + " && exec \"$@\"", "sh");
        try (ChildJvm child = ChildJvm.startIn(prefix, CrampedBackup.class, file().toString(), copy.toString())) {
            assertThat(child.exitCode(Duration.ofMinutes(1))).as("%s", child.lines()).isZero();
            assertThat(child.lines()).anyMatch(line -> line.startsWith("FULL no space left for " + copy))
                    .contains("left: []");
        }
    }

    @Test
    void doesNotOverwriteAFile() throws Exception {
        SqliteStore.at(file()).close();
        Path taken = Files.writeString(directory.resolve("taken.db"), "mine");
        assertThatThrownBy(() -> SqliteFile.at(file()).backUpTo(taken))
                .hasMessage(taken + " exists; choose another name, or delete it first");
        assertThat(taken).hasContent("mine");
    }

    @Test
    void namesTheDirectoryThatItCannotWriteTo() {
        SqliteStore.at(file()).close();
        Path nowhere = directory.resolve("none/copy.db");
        assertThatThrownBy(() -> SqliteFile.at(file()).backUpTo(nowhere)).isInstanceOf(StoreException.class)
                .hasMessageContaining(directory.resolve("none").toString());
    }

    @Test
    void readsTheVersionWhileANodeUsesTheFileAndCreatesNoFile() {
        assertThatThrownBy(() -> SqliteFile.at(file()).schemaVersion()).hasMessage(file() + " does not exist");
        assertThat(file()).doesNotExist();
        try (SqliteStore store = SqliteStore.at(file())) {
            assertThat(SqliteFile.at(file()).schemaVersion()).isEqualTo(SqliteFile.latestSchemaVersion());
            assertThat(store.nodes()).isEqualTo(List.of());
        }
    }

    @Test
    void doesNotCopyTheDatabaseOfAnotherProgram() throws Exception {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE mine (a)");
        }
        assertThatThrownBy(() -> SqliteFile.at(file()).backUpTo(directory.resolve("copy.db")))
                .hasMessageContaining("another program");
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).as("files left").containsExactly(file());
        }
    }
}
