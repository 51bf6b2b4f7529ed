package dev.heddle.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SqliteLibraryTest {

    @TempDir
    private Path directory;

    private Path home() {
        return directory.resolve("home");
    }

    private Path temporary() {
        return directory.resolve("tmp");
    }

    @BeforeEach
    void makeATemporaryDirectory() throws IOException {
        Files.createDirectory(temporary());
    }

    /** Opens a store with the given home and temporary directory, and waits until it is killed. */
    static final class Opener {
        private Opener() {}

        public static void main(String[] args) throws IOException {
            System.setProperty("user.home", args[0]);
            System.setProperty("java.io.tmpdir", args[1]);
            try (SqliteStore store = SqliteStore.at(Path.of(args[2]))) {
                System.out.println("open with " + store.nodes());
                System.out.println("read " + System.in.read());
            }
        }
    }

    private void openAndKill() {
        try (ChildJvm child = ChildJvm.startIn(List.of("env", "-u", "XDG_CACHE_HOME"), Opener.class, home().toString(),
                temporary().toString(), directory.resolve("jobs.db").toString())) {
            child.awaitLine("open with []"::equals);
            child.kill();
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void isUnpackedOnceForAllStartsAndLeavesNoOtherFileAfterAKill() throws Exception {
        openAndKill();
        assertThat(files(home())).singleElement().satisfies(library -> {
            assertThat(library.getParent())
                    .isEqualTo(home().resolve(".cache/heddle/sqlite-" + org.sqlite.SQLiteJDBCLoader.getVersion()));
            var unpacked = Files.getLastModifiedTime(library);
            openAndKill();
            assertThat(files(home())).containsExactly(library);
            assertThat(Files.getLastModifiedTime(library)).isEqualTo(unpacked);
        });
        assertThat(temporary()).isEmptyDirectory();
    }

    @Test
    void isReplacedIfItIsNotTheOneOfTheDriver() throws Exception {
        openAndKill();
        Path library = files(home()).getFirst();
        byte[] genuine = Files.readAllBytes(library);
        byte[] changed = genuine.clone();
        changed[changed.length - 1]++;
        Files.write(library, changed);
        openAndKill();
        assertThat(library).hasBinaryContent(genuine);

        Path elsewhere = directory.resolve("elsewhere");
        Files.write(elsewhere, changed);
        Files.delete(library);
        Files.createSymbolicLink(library, elsewhere);
        openAndKill();
        assertThat(library).isRegularFile().hasBinaryContent(genuine);
        assertThat(Files.isSymbolicLink(library)).isFalse();
        assertThat(elsewhere).hasBinaryContent(changed);
    }

    @Test
    void sweepsTheDraftsOfKilledProcesses() throws Exception {
        Path cache = Files.createDirectories(
                home().resolve(".cache/heddle/sqlite-" + org.sqlite.SQLiteJDBCLoader.getVersion()));
        Files.createFile(cache.resolve("draft-999999999-1.tmp"));
        Files.createFile(cache.resolve("draft-18446744073709551615.tmp"));
        Path alive = Files.createFile(cache.resolve("draft-" + ProcessHandle.current().pid() + "-1.tmp"));
        openAndKill();

        assertThat(files(home())).hasSize(2).contains(alive);
    }

    @Test
    void isLeftToTheDriverIfItCannotBeCached() throws Exception {
        Files.createFile(home());
        openAndKill();
        assertThat(files(temporary())).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Linux      | XDG_CACHE_HOME | /big/cache | /big/cache/heddle
            Linux      | XDG_CACHE_HOME | relative   | /home/ada/.cache/heddle
            Linux      | LOCALAPPDATA   | /big/cache | /home/ada/.cache/heddle
            Mac OS X   | XDG_CACHE_HOME | /big/cache | /home/ada/Library/Caches/heddle
            Windows 11 | LOCALAPPDATA   | /big/cache | /big/cache/heddle
            """)
    void isCachedInTheCacheDirectoryOfTheSystem(String system, String variable, String value, Path expected) {
        assertThat(SqliteLibrary.cache(system, Path.of("/home/ada"), Map.of(variable, value))).isEqualTo(expected);
    }
}
