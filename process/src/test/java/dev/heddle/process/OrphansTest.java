package dev.heddle.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** This JVM takes on the orphans of its processes; it must bury them, and take nobody else's exit code. */
class OrphansTest extends ProcessFixture {

    /** What other tests of this JVM have left may be dead for long before it is buried. */
    private final List<Long> notOurs = children();

    private static List<Long> children() {
        return ProcTable.children(ProcessHandle.current().pid());
    }

    private long zombies() {
        return children().stream().filter(child -> !notOurs.contains(child)).map(ProcTable::find)
                .flatMap(Optional::stream).filter(entry -> !entry.isAlive()).count();
    }

    @Test
    void areReapedWhileTheRunGoesOn() {
        Processes processes = open(Isolation.SESSION);
        RunningProcess process = processes
                .start(shell(
                        "i=0; while test $i -lt 20; do setsid -f /bin/true; i=$((i+1)); done; echo > done; sleep 86400"));
        Awaitility.await().atMost(LONG).until(() -> file("done").toFile().exists() && zombies() == 0);

        process.stop();
        end(process);
        Awaitility.await().atMost(LONG).until(() -> zombies() == 0);
    }

    @Test
    void noExitCodeOfAnotherChildIsLost() throws IOException {
        open(Isolation.SESSION);
        List<Process> others = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            others.add(new ProcessBuilder("sh", "-c", "exit 7").start());
            Spawner.here().reap(Platform.here());
        }

        assertThat(others.stream().map(other -> other.onExit().join().exitValue())).containsOnly(7);
    }
}
