package dev.heddle.cli.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HomeTest {

    @TempDir private Path directory;

    private Home home() {
        return new Home(directory.resolve(".heddle"));
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void isWhereItWasAskedForElseWhereTheVariableSaysElseHere() {
        Path here = Path.of("").toAbsolutePath();
        assertThat(Home.find(null, Map.of()).directory()).isEqualTo(here.resolve(".heddle"));
        assertThat(Home.find(null, Map.of("HEDDLE_HOME", "")).directory()).isEqualTo(here.resolve(".heddle"));
        assertThat(Home.find(null, Map.of("HEDDLE_HOME", "/a")).directory()).isEqualTo(Path.of("/a"));
        assertThat(Home.find(Path.of("/b/../c"), Map.of("HEDDLE_HOME", "/a")).directory())
                .isEqualTo(Path.of("/c"));
    }

    @Test
    void keepsItsFilesToItsOwner() throws Exception {
        try (Tenancy tenancy = Tenancy.of(home())) {
            tenancy.announce(NodeInfo.ofThisProcess("127.0.0.1", 1), "t");
            assertThat(mode(home().directory())).isEqualTo("rwx------");
            assertThat(mode(home().token())).isEqualTo("rw-------");
            assertThat(mode(home().nodeFile())).isEqualTo("rw-------");
        }
    }

    @Test
    void closesAHomeThatWasOpenToOthers() throws Exception {
        Files.createDirectory(home().directory(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Tenancy.of(home()).close();
        assertThat(mode(home().directory())).isEqualTo("rwx------");
    }

    @Test
    void showsTheNodeWhileItIsThere() throws Exception {
        assertThat(Sighting.in(home())).isEqualTo(new Sighting.Nobody());
        NodeInfo node = NodeInfo.ofThisProcess("127.0.0.1", 7420);
        try (Tenancy tenancy = Tenancy.of(home())) {
            assertThat(Sighting.in(home())).isEqualTo(new Sighting.Nobody());
            tenancy.announce(node, "t");
            assertThat(Sighting.in(home())).isEqualTo(new Sighting.Running(node));
            assertThat(Files.readString(home().token())).isEqualTo("t\n");
        }
        assertThat(Sighting.in(home())).isEqualTo(new Sighting.Nobody());
        try (Stream<Path> left = Files.list(home().directory())) {
            assertThat(left).containsExactly(home().lock());
        }
    }

    @Test
    void seesThatANodeIsGone() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        assertThat(sightingOf(dead.pid(), Instant.now())).isEqualTo("process " + dead.pid() + " is gone");
    }

    @Test
    void seesThatAProcessIdHasGoneToAnotherProgram() throws Exception {
        long self = ProcessHandle.current().pid();
        assertThat(sightingOf(self, Instant.parse("2020-01-01T00:00:00Z")))
                .isEqualTo("process " + self + " is another program by now");
    }

    private String sightingOf(long pid, Instant startedAt) throws IOException {
        home().create();
        Files.writeString(home().nodeFile(), "{\"pid\":" + pid + ",\"startedAt\":\"" + startedAt
                + "\",\"host\":\"127.0.0.1\",\"port\":7420}");
        assertThat(Sighting.in(home())).isInstanceOf(Sighting.Stale.class);
        return ((Sighting.Stale) Sighting.in(home())).why();
    }

    @Test
    void takesNonsenseForStale() throws Exception {
        home().create();
        for (String nonsense : List.of("", "{", "[]", "{\"pid\":\"x\"}", "null", "{}")) {
            Files.writeString(home().nodeFile(), nonsense);
            assertThat(Sighting.in(home())).as(nonsense).isInstanceOf(Sighting.Stale.class);
        }
    }

    @Test
    void hasRoomForOneNode() {
        try (Tenancy tenancy = Tenancy.of(home())) {
            tenancy.announce(NodeInfo.ofThisProcess("127.0.0.1", 7420), "t");
            assertThatThrownBy(() -> Tenancy.of(home())).isInstanceOfSatisfying(CliException.class, e -> {
                assertThat(e.exit()).isEqualTo(Exit.USAGE);
                assertThat(e).hasMessage("a node is running on the home " + home().directory()
                        + " already (process " + ProcessHandle.current().pid() + ", http://127.0.0.1:7420)"
                        + "; stop it first, or give this one a home of its own with --home");
            });
        }
        Tenancy.of(home()).close();
    }

    @Test
    void refusesAFileInItsPlace() throws Exception {
        Files.createFile(home().directory());
        assertThatThrownBy(() -> home().create()).hasMessage(home().directory()
                + " is not a directory; delete it, or choose another home with --home or HEDDLE_HOME");
    }

    @Test
    void isSpokenToHereWhereItListensEverywhere() {
        assertThat(NodeInfo.ofThisProcess("0.0.0.0", 1).address()).hasToString("http://127.0.0.1:1");
        assertThat(NodeInfo.ofThisProcess("::1", 1).address()).hasToString("http://[::1]:1");
    }
}
