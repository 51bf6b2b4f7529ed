package dev.heddle.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.heddle.process.linux.ProcTable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** This JVM adopts the orphans of its processes. It must reap them, and must not steal exit codes from other code. */
class OrphanReaperTest extends ProcessFixture {

    @BeforeEach
    void needsLinux() {
        assumeFindsDaemons();
    }

    /** Children that other tests in this JVM have left, which may stay zombies for a while. */
    private final List<Long> childrenBefore = children();

    private static List<Long> children() {
        return ProcTable.children(ProcessHandle.current().pid());
    }

    private long zombies() {
        return children().stream().filter(child -> !childrenBefore.contains(child)).map(ProcTable::find)
                .flatMap(Optional::stream).filter(entry -> !entry.isAlive()).count();
    }

    @Test
    void reapsOrphansWhileTheirLaunchStillRuns() {
        Processes processes = open(Isolation.SESSION);
        RunningProcess process = processes.start(
                shell("i=0; while test $i -lt 20; do setsid -f /bin/true; i=$((i+1)); done; echo > done; sleep 86400"));
        Awaitility.await().atMost(LONG).until(() -> file("done").toFile().exists() && zombies() == 0);

        process.stop();
        end(process);
        Awaitility.await().atMost(LONG).until(() -> zombies() == 0);
    }

    @Test
    void doesNotStealExitCodesOfOtherChildren() throws IOException {
        open(Isolation.SESSION);
        List<Process> others = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            others.add(new ProcessBuilder("sh", "-c", "exit 7").start());
            Spawner.here().reap(Platform.here());
        }

        assertThat(others.stream().map(other -> other.onExit().join().exitValue())).containsOnly(7);
    }
}
