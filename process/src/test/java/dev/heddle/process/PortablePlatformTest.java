package dev.heddle.process;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What macOS and Windows get, tried where the tests run. */
class PortablePlatformTest extends ProcessFixture {

    private final PortablePlatform platform = new PortablePlatform();

    private Processes processes() {
        return keep(Processes.open(settings(Isolation.NAMESPACE), platform));
    }

    @Test
    void holdsByParentage() {
        assertThat(processes().isolation()).isEqualTo(Isolation.TREE);
        assertThat(platform.freeMemory()).isPositive();
    }

    @Test
    void endsATreeThatIsStopped() {
        Daemon stubborn = new Daemon(directory);
        RunningProcess process = processes()
                .start(shell("sh -c \"trap '' TERM; " + stubborn.sleep() + " & wait; wait\" & wait"));
        Awaitility.await().atMost(LONG).until(() -> stubborn.alive().size() == 1);
        process.stop(LONG);

        assertThat(end(process).code()).isEqualTo(Exit.TERMINATED);
        assertThat(stubborn.alive()).isEmpty();
    }

    @Test
    void endsATreeThatIsKilled() {
        Daemon deep = new Daemon(directory);
        RunningProcess process = processes()
                .start(shell("sh -c \"sh -c '" + deep.sleep() + "; true'; true\"; true"));
        deep.awaitAlive();
        process.stop(Duration.ZERO);

        assertThat(end(process).code()).isEqualTo(Exit.KILLED);
        assertThat(deep.alive()).isEmpty();
    }

    @Test
    void endsTheTreeThatADeadNodeLeft() {
        Daemon deep = new Daemon(directory);
        RunningProcess process = processes().start(shell(deep.sleep() + " & wait"));
        deep.awaitAlive();
        Registry.open(registry(), new Registry.Owner(platform.machine(), 4_194_305, 1))
                .write(process.row());
        keep(Processes.open(settings(Isolation.TREE), platform));

        assertThat(end(process).code()).isEqualTo(Exit.KILLED);
        assertThat(deep.alive()).isEmpty();
    }
}
