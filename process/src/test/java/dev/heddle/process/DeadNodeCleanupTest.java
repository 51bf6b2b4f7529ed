package dev.heddle.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.heddle.process.DeadNodeCleanup.NodeState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The registry entry of a dead node is trusted only if it matches the processes that are there. */
@Tag("portable")
class DeadNodeCleanupTest extends ProcessFixture {

    private static final Platform HERE = Platform.here();
    private static final long UNUSED_PID = 4_194_305;

    private final Process stranger = start();

    private static Process start() {
        try {
            return new ProcessBuilder("sleep", "86400").start();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void kill() {
        stranger.destroyForcibly().onExit().join();
    }

    private ProcessIdentity stranger(long ticksOff) {
        return new ProcessIdentity(stranger.pid(), HERE.startTicks(stranger.pid()) + ticksOff, HERE.machine().bootId());
    }

    /** Writes the registry entry that a killed node left. */
    private void leaveEntry(ProcessRegistry.Node node, ProcessIdentity first) {
        ProcessMark mark = ProcessMark.random();
        ProcessRegistry.open(registry(), node).write(new ProcessRecord(mark, "job 1", Isolation.SESSION,
                new Launch.WorkingDirectory(directory, true), TempDirectory.of(mark), first));
    }

    private static ProcessRegistry.Node dead(Platform.Machine machine) {
        return new ProcessRegistry.Node(machine, UNUSED_PID, 1);
    }

    private List<Path> nodes() throws IOException {
        try (Stream<Path> all = Files.list(registry())) {
            return all.toList();
        }
    }

    @Test
    void killsAProcessWithTheRecordedIdentity() throws Exception {
        leaveEntry(dead(HERE.machine()), stranger(0));
        open(Isolation.SESSION);

        assertThat(stranger.waitFor(Duration.ofSeconds(30))).isTrue();
        assertThat(nodes()).hasSize(1);
    }

    @Test
    void leavesAProcessAloneThatReusesThePid() throws IOException {
        leaveEntry(dead(HERE.machine()), stranger(1));
        leaveEntry(dead(HERE.machine()), stranger(-1));
        open(Isolation.SESSION);

        assertThat(stranger.isAlive()).isTrue();
        assertThat(nodes()).hasSize(1);
    }

    @Test
    void leavesAProcessAloneIfTheMachineWasRebooted() throws IOException {
        Platform.Machine before = new Platform.Machine(HERE.machine().id(), "another boot", HERE.machine().view());
        leaveEntry(dead(before), stranger(0));
        open(Isolation.SESSION);

        assertThat(stranger.isAlive()).isTrue();
        assertThat(nodes()).hasSize(1);
    }

    @Test
    void leavesProcessesOfOtherMachinesAndContainersAlone() throws IOException {
        leaveEntry(dead(new Platform.Machine("elsewhere", HERE.machine().bootId(), HERE.machine().view())),
                stranger(0));
        leaveEntry(dead(new Platform.Machine(HERE.machine().id(), HERE.machine().bootId(), "pid:[1]")), stranger(0));
        open(Isolation.SESSION);

        assertThat(stranger.isAlive()).isTrue();
        assertThat(nodes()).hasSize(3);
    }

    @Test
    void leavesProcessesOfALivingNodeAlone() throws IOException {
        long self = ProcessHandle.current().pid();
        leaveEntry(new ProcessRegistry.Node(HERE.machine(), self, HERE.startTicks(self)), stranger(0));
        open(Isolation.SESSION);

        assertThat(stranger.isAlive()).isTrue();
        assertThat(nodes()).hasSize(2);
    }

    @Test
    void aNodeIsDeadIfAnotherProcessReusesItsPid() {
        ProcessRegistry.Node node = new ProcessRegistry.Node(HERE.machine(), stranger.pid(),
                HERE.startTicks(stranger.pid()) - 5);

        assertThat(DeadNodeCleanup.stateOf(node, HERE.machine(), HERE::startTicks)).isEqualTo(NodeState.DEAD);
    }

    @Test
    void ignoresInvalidFilesInTheRegistry() throws IOException {
        leaveEntry(dead(HERE.machine()), stranger(0));
        Path node = nodes().getFirst();
        Files.writeString(node.resolve("rubbish.json"), "{");
        Files.writeString(node.resolve("1k2j3h.json"), "not json");
        Files.writeString(node.resolve("1k2j3h.json.new"), "half");
        Files.createDirectory(registry().resolve("empty"));
        Files.writeString(registry().resolve("file"), "x");
        open(Isolation.SESSION);

        assertThat(stranger.onExit().join().isAlive()).isFalse();
        assertThat(node).doesNotExist();
    }
}
