package dev.heddle.process;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The platform of macOS and Windows, tested on the machine at hand. */
class PortablePlatformTest extends ProcessFixture {

    private final PortablePlatform platform = new PortablePlatform();

    private Processes processes() {
        return keep(Processes.open(settings(Isolation.NAMESPACE), platform));
    }

    @Test
    void isolatesByParentage() {
        assertThat(processes().isolation()).isEqualTo(Isolation.TREE);
        assertThat(platform.freeMemory()).isPositive();
    }

    @Test
    void endsTheWholeTreeWhenStopped() {
        EscapingDaemon stubborn = new EscapingDaemon(directory);
        RunningProcess process = processes()
                .start(shell("sh -c \"trap '' TERM; " + stubborn.sleep() + " & wait; wait\" & wait"));
        Awaitility.await().atMost(LONG).until(() -> stubborn.alive().size() == 1);
        process.stop(LONG);

        assertThat(end(process).code()).isEqualTo(Exit.TERMINATED);
        assertThat(stubborn.alive()).isEmpty();
    }

    @Test
    void endsTheWholeTreeWhenKilled() {
        EscapingDaemon deep = new EscapingDaemon(directory);
        RunningProcess process = processes().start(shell("sh -c \"sh -c '" + deep.sleep() + "; true'; true\"; true"));
        deep.awaitAlive();
        process.stop(Duration.ZERO);

        assertThat(end(process).code()).isEqualTo(Exit.KILLED);
        assertThat(deep.alive()).isEmpty();
    }

    @Test
    void endsTheTreeOfADeadNode() {
        EscapingDaemon deep = new EscapingDaemon(directory);
        RunningProcess process = processes().start(shell(deep.sleep() + " & wait"));
        deep.awaitAlive();
        ProcessRegistry.open(registry(), new ProcessRegistry.Node(platform.machine(), 4_194_305, 1))
                .write(process.record());
        keep(Processes.open(settings(Isolation.TREE), platform));

        assertThat(end(process).code()).isEqualTo(Exit.KILLED);
        assertThat(deep.alive()).isEmpty();
    }
}
