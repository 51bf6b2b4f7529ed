package dev.heddle.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.heddle.process.Inheritance.Fate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a registry says about a dead node is believed only as far as it fits what is there. */
class InheritanceTest extends ProcessFixture {

    private static final Platform HERE = Platform.here();
    private static final long NOBODY = 4_194_305;

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
        return new ProcessIdentity(stranger.pid(), HERE.startOf(stranger.pid()) + ticksOff,
                HERE.machine().bootId());
    }

    /** Writes what a node left that was killed. */
    private void left(Registry.Owner owner, ProcessIdentity first) {
        Mark mark = Mark.random();
        Registry.open(registry(), owner)
                .write(new Row(mark, "job 1", Isolation.SESSION, new Launch.Place(directory, true),
                        TempDirectory.of(mark), first));
    }

    private static Registry.Owner dead(Platform.Machine machine) {
        return new Registry.Owner(machine, NOBODY, 1);
    }

    private List<Path> nodes() throws IOException {
        try (Stream<Path> all = Files.list(registry())) {
            return all.toList();
        }
    }

    @Test
    void killsTheProcessThatItIs() throws Exception {
        left(dead(HERE.machine()), stranger(0));
        open(Isolation.SESSION);

        assertThat(stranger.waitFor(Duration.ofSeconds(30))).isTrue();
        assertThat(nodes()).hasSize(1);
    }

    @Test
    void leavesAProcessAloneThatHasItsPidAndStartedAtAnotherTime() throws IOException {
        left(dead(HERE.machine()), stranger(1));
        left(dead(HERE.machine()), stranger(-1));
        open(Isolation.SESSION);

        assertThat(stranger.isAlive()).isTrue();
        assertThat(nodes()).hasSize(1);
    }

    @Test
    void leavesAProcessAloneThatIsOfAnotherRunOfTheMachine() throws IOException {
        Platform.Machine before = new Platform.Machine(HERE.machine().id(), "another boot",
                HERE.machine().view());
        left(dead(before), stranger(0));
        open(Isolation.SESSION);

        assertThat(stranger.isAlive()).isTrue();
        assertThat(nodes()).hasSize(1);
    }

    @Test
    void leavesAllAloneOfAnotherMachineAndOfAnotherContainer() throws IOException {
        left(dead(new Platform.Machine("elsewhere", HERE.machine().bootId(), HERE.machine().view())),
                stranger(0));
        left(dead(new Platform.Machine(HERE.machine().id(), HERE.machine().bootId(), "pid:[1]")),
                stranger(0));
        open(Isolation.SESSION);

        assertThat(stranger.isAlive()).isTrue();
        assertThat(nodes()).hasSize(3);
    }

    @Test
    void leavesAllAloneOfANodeThatLives() throws IOException {
        long self = ProcessHandle.current().pid();
        left(new Registry.Owner(HERE.machine(), self, HERE.startOf(self)), stranger(0));
        open(Isolation.SESSION);

        assertThat(stranger.isAlive()).isTrue();
        assertThat(nodes()).hasSize(2);
    }

    @Test
    void aNodeWhosePidAnotherProcessHasIsDead() {
        Registry.Owner owner = new Registry.Owner(HERE.machine(), stranger.pid(),
                HERE.startOf(stranger.pid()) - 5);

        assertThat(Inheritance.fateOf(owner, HERE.machine(), HERE::startOf)).isEqualTo(Fate.DIED);
    }

    @Test
    void isNotStoppedByRubbishInTheRegistry() throws IOException {
        left(dead(HERE.machine()), stranger(0));
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
