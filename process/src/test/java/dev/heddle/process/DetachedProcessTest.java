package dev.heddle.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.heddle.testkit.ChildJvm;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("portable")
class DetachedProcessTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    private Path directory;

    static Launch launch(Path directory, String script) throws IOException {
        Path input = Files.writeString(directory.resolve("input"), "hello\n");
        return Launch.of("test run", "/bin/sh", "-c", script).in(directory).environment(Map.of("PATH", "/usr/bin:/bin"))
                .input(Input.from(input)).output(Output.to(directory.resolve("out")))
                .errors(Output.to(directory.resolve("err")));
    }

    private DetachedProcess start(String script) throws IOException {
        return DetachedProcess.start(directory, launch(directory, script), LONG);
    }

    private static Exit await(DetachedProcess process) {
        return Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(20))
                .until(process::exit, Optional::isPresent).orElseThrow();
    }

    private static boolean isAlive(Path pidFile) throws IOException {
        return ProcessHandle.of(Long.parseLong(Files.readString(pidFile).strip()))
                .filter(handle -> Platform.here().startTicks(handle.pid()) != 0).isPresent();
    }

    private void awaitFile(String name) {
        Awaitility.await().atMost(Duration.ofSeconds(30))
                .until(() -> Files.exists(directory.resolve(name)) && Files.size(directory.resolve(name)) > 0);
    }

    @Test
    void readsAndWritesFilesAndLeavesItsExitCode() throws IOException {
        DetachedProcess process = start("cat; echo bad >&2; exit 7");
        assertThat(await(process).code()).isEqualTo(7);
        assertThat(directory.resolve("out")).hasContent("hello\n");
        assertThat(directory.resolve("err")).hasContent("bad\n");
        assertThat(await(DetachedProcess.find(directory).orElseThrow()).code()).isEqualTo(7);
    }

    @Test
    void tellsItsTimeLimitFromTheSameExitCode() throws IOException {
        Exit timedOut = await(DetachedProcess.start(directory, launch(directory, "sleep 1000"), Duration.ofMillis(10)));
        assertThat(timedOut).returns(Exit.TIMED_OUT, Exit::code).returns(Duration.ofSeconds(1), Exit::timedOutAfter);
        Path other = Files.createDirectory(directory.resolve("other"));
        Exit exited = await(DetachedProcess.start(other, launch(other, "exit 124"), LONG));
        assertThat(exited).returns(Exit.TIMED_OUT, Exit::code).returns(null, Exit::timedOutAfter);
    }

    @Test
    void outlivesItsNodeAndIsFoundByTheNext() throws IOException {
        try (ChildJvm node = ChildJvm.start(DetachedNode.class, directory.toString())) {
            node.awaitLine(line -> line.equals("started"));
            awaitFile("out");
            node.kill();
        }
        DetachedProcess found = DetachedProcess.find(directory).orElseThrow();
        assertThat(found.exit()).isEmpty();
        Files.createFile(directory.resolve("go"));
        assertThat(await(found).code()).isEqualTo(5);
        assertThat(directory.resolve("out")).hasContent("before\nafter\n");
    }

    @Test
    void aProcessThatWasNotStartedBeforeItsNodeDiedNeverStarts() throws IOException {
        start("cat");
        // As if the node had died before the wrapper created its files.
        awaitFile("exit");
        for (String file : List.of("exit", "pid", "out")) {
            Files.delete(directory.resolve(file));
        }
        assertThat(DetachedProcess.find(directory)).isEmpty();
        Process late = new ProcessBuilder("/bin/sh", "-c", "set -C; { echo $$ 1 >\"$1/pid\"; } 2>/dev/null || exit 9",
                "late", directory.toString()).start();
        assertThat(late.onExit().join().exitValue()).isEqualTo(9);
        assertThat(DetachedProcess.find(directory)).isEmpty();
    }

    @Test
    void aLateWrapperDoesNotStartTheCommand() throws IOException {
        Path go = directory.resolve("go");
        Path slow = Files.createDirectories(directory.resolve("bin")).resolve("setsid");
        Files.writeString(slow,
                "#!/bin/sh\nwhile [ ! -e '" + go + "' ]; do sleep 0.02; done\nexec /usr/bin/setsid \"$@\"\n");
        assertThat(slow.toFile().setExecutable(true)).isTrue();
        DetachedProcess.start(directory,
                launch(directory, "echo started").environment(Map.of("PATH", slow.getParent() + ":/usr/bin:/bin")),
                LONG);
        // While a process executes another program, it has no command line for a moment.
        List<ProcessHandle> wrapper = Awaitility.await().atMost(Duration.ofSeconds(30))
                .until(() -> ProcessHandle.current().children()
                        .filter(child -> child.info().commandLine().orElse("").contains(directory.toString())).toList(),
                        found -> !found.isEmpty());

        assertThat(DetachedProcess.find(directory)).as("found by the next node").isEmpty();
        Files.createFile(go);

        Awaitility.await().atMost(Duration.ofSeconds(30))
                .until(() -> wrapper.stream().noneMatch(ProcessHandle::isAlive));
        assertThat(directory.resolve("out")).doesNotExist();
        assertThat(directory.resolve("exit")).doesNotExist();
        assertThat(DetachedProcess.find(directory)).isEmpty();
    }

    @Test
    void leavesAProcessAloneThatReusesThePid() throws IOException {
        DetachedProcess process = start("sleep 1000");
        awaitFile("pid");
        long wrapper = Long.parseLong(Files.readString(directory.resolve("pid")).split(" ", -1)[0]);
        assertThat(process.stop(Duration.ZERO).code()).isEqualTo(Exit.KILLED);
        // A process that was killed is there until its parent has read its exit code.
        Awaitility.await().atMost(Duration.ofSeconds(30))
                .until(() -> ProcessHandle.of(wrapper).filter(ProcessHandle::isAlive).isEmpty());
        Process other = new ProcessBuilder("sleep", "1000").start();
        try {
            Files.writeString(directory.resolve("pid"), other.pid() + " 12345\n");
            DetachedProcess found = DetachedProcess.find(directory).orElseThrow();
            assertThat(found.exit()).contains(new Exit(Exit.KILLED, false, null, 0, List.of()));
            found.stop(Duration.ZERO);
            assertThat(other.isAlive()).isTrue();
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void endsAtItsTimeLimitWithoutANode() throws IOException {
        DetachedProcess process = DetachedProcess.start(directory, launch(directory, "sleep 1000 & wait"),
                Duration.ofSeconds(1));
        assertThat(await(process).code()).isEqualTo(Exit.TIMED_OUT);
    }

    @Test
    void stoppingSendsSigtermFirst() throws IOException {
        DetachedProcess process = start("trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.05; done");
        awaitFile("out");
        Exit exit = process.stop(Duration.ofSeconds(20));
        assertThat(exit.code()).isIn(3, Exit.TIMED_OUT, Exit.TERMINATED);
        assertThat(directory.resolve("out")).hasContent("up\nbye\n");
    }

    @Test
    void stoppingEndsDaemonsToo() throws IOException {
        DetachedProcess process = start(
                """
                        env -i setsid sh -c 'echo $$ >daemon; exec sleep 1000' & setsid sh -c 'trap "" TERM; echo $$ >deaf; sleep 1000' &
                        wait; sleep 1000""");
        awaitFile("daemon");
        awaitFile("deaf");
        Exit exit = process.stop(Duration.ofMillis(200));
        assertThat(exit.survivors()).isEmpty();
        assertThat(isAlive(directory.resolve("daemon"))).isFalse();
        assertThat(isAlive(directory.resolve("deaf"))).isFalse();
    }
}
