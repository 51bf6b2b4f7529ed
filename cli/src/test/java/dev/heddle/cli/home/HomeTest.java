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
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.process.files.ScratchDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HomeTest {

    @TempDir
    private Path directory;

    private Home home() {
        return new Home(directory.resolve(".heddle"));
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void usesTheOptionOrTheVariableOrTheCurrentDirectory() {
        Path here = Path.of("").toAbsolutePath();
        assertThat(Home.find(null, Map.of()).directory()).isEqualTo(here.resolve(".heddle"));
        assertThat(Home.find(null, Map.of("HEDDLE_HOME", "")).directory()).isEqualTo(here.resolve(".heddle"));
        assertThat(Home.find(null, Map.of("HEDDLE_HOME", "/a")).directory()).isEqualTo(Path.of("/a"));
        assertThat(Home.find(Path.of("/b/../c"), Map.of("HEDDLE_HOME", "/a")).directory()).isEqualTo(Path.of("/c"));
    }

    @Test
    void createsPrivateFiles() throws Exception {
        try (HomeLock lock = HomeLock.acquire(home())) {
            lock.publish(NodeInfo.ofThisProcess("127.0.0.1", 1), "t");
            assertThat(mode(home().directory())).isEqualTo("rwx------");
            assertThat(mode(home().token())).isEqualTo("rw-------");
            assertThat(mode(home().nodeFile())).isEqualTo("rw-------");
        }
    }

    @Test
    void deletesWhatKilledProcessesLeft() throws Exception {
        home().create();
        Files.createFile(home().directory().resolve("token.4711.tmp"));
        Files.createFile(home().directory().resolve("node.json.4711.tmp"));
        Files.createDirectory(home().directory().resolve("bench-1"));
        try (ScratchDirectory running = home().createScratch();
                HomeLock _ = HomeLock.acquire(home());
                Stream<Path> files = Files.list(home().directory())) {
            assertThat(files).containsExactlyInAnyOrder(home().lock(), running.path());
        }
    }

    @Test
    void restrictsAHomeThatOthersCanAccess() throws Exception {
        Files.createDirectory(home().directory(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        HomeLock.acquire(home()).close();
        assertThat(mode(home().directory())).isEqualTo("rwx------");
    }

    @Test
    void showsTheNodeWhileItRuns() throws Exception {
        assertThat(NodeStatus.of(home())).isEqualTo(new NodeStatus.NotRunning());
        NodeInfo node = NodeInfo.ofThisProcess("127.0.0.1", 7420);
        try (HomeLock lock = HomeLock.acquire(home())) {
            assertThat(NodeStatus.of(home())).isEqualTo(new NodeStatus.NotRunning());
            lock.publish(node, "t");
            assertThat(NodeStatus.of(home())).isEqualTo(new NodeStatus.Running(node));
            assertThat(Files.readString(home().token())).isEqualTo("t\n");
        }
        assertThat(NodeStatus.of(home())).isEqualTo(new NodeStatus.NotRunning());
        try (Stream<Path> left = Files.list(home().directory())) {
            assertThat(left).containsExactly(home().lock());
        }
    }

    @Test
    void detectsThatANodeIsGone() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        assertThat(statusOf(dead.pid(), Instant.now())).isEqualTo("process " + dead.pid() + " does not exist");
    }

    @Test
    void detectsAReusedProcessId() throws Exception {
        long self = ProcessHandle.current().pid();
        assertThat(statusOf(self, Instant.parse("2020-01-01T00:00:00Z")))
                .isEqualTo("process " + self + " is another program");
    }

    private String statusOf(long pid, Instant startedAt) throws IOException {
        home().create();
        Files.writeString(home().nodeFile(),
                "{\"pid\":" + pid + ",\"startedAt\":\"" + startedAt + "\",\"host\":\"127.0.0.1\",\"port\":7420}");
        assertThat(NodeStatus.of(home())).isInstanceOf(NodeStatus.Stale.class);
        return ((NodeStatus.Stale) NodeStatus.of(home())).why();
    }

    @Test
    void treatsInvalidContentAsStale() throws Exception {
        home().create();
        for (String nonsense : List.of("", "{", "[]", "{\"pid\":\"x\"}", "null", "{}")) {
            Files.writeString(home().nodeFile(), nonsense);
            assertThat(NodeStatus.of(home())).as(nonsense).isInstanceOf(NodeStatus.Stale.class);
        }
    }

    @Test
    void allowsOneNode() {
        try (HomeLock lock = HomeLock.acquire(home())) {
            lock.publish(NodeInfo.ofThisProcess("127.0.0.1", 7420), "t");
            assertThatThrownBy(() -> HomeLock.acquire(home())).isInstanceOfSatisfying(CliException.class, e -> {
                assertThat(e.exit()).isEqualTo(ExitCode.USAGE);
                assertThat(e).hasMessage("a node is already running on the home " + home().directory() + " (process "
                        + ProcessHandle.current().pid() + ", http://127.0.0.1:7420)"
                        + "; stop it, or choose another home with --home");
            });
        }
        HomeLock.acquire(home()).close();
    }

    @Test
    void rejectsAFileInItsPlace() throws Exception {
        Files.createFile(home().directory());
        assertThatThrownBy(() -> home().create()).hasMessage(home().directory()
                + " is not a directory; delete it, or choose another home with --home or HEDDLE_HOME");
    }

    @Test
    void isReachedOverLoopbackIfItListensOnAllInterfaces() {
        assertThat(NodeInfo.ofThisProcess("0.0.0.0", 1).address()).hasToString("http://127.0.0.1:1");
        assertThat(NodeInfo.ofThisProcess("::1", 1).address()).hasToString("http://[::1]:1");
    }
}
