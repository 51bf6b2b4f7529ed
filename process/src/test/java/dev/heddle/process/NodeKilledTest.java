package dev.heddle.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import dev.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Nodes that are killed with SIGKILL while their processes run. */
@Tag("portable")
class NodeKilledTest extends ProcessFixture {

    private ChildJvm node(Isolation isolation, String script) {
        ChildJvm node = ChildJvm.start(NodeToKill.class, registry().toString(), isolation.name(), directory.toString(),
                script);
        node.awaitLine("up"::equals);
        return node;
    }

    private static Path temp(ChildJvm node) {
        return Path.of(
                node.lines().stream().filter(line -> line.startsWith("temp ")).findFirst().orElseThrow().substring(5));
    }

    private List<Path> nodes() throws IOException {
        try (Stream<Path> all = Files.list(registry())) {
            return all.toList();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void inANamespaceAllProcessesDieWithTheNode(boolean withoutEnvironment) throws IOException {
        assumeThat(Processes.support().strongest()).isEqualTo(Isolation.NAMESPACE);
        EscapingDaemon daemon = new EscapingDaemon(directory);
        EscapingDaemon main = new EscapingDaemon(directory);
        try (ChildJvm node = node(Isolation.NAMESPACE,
                "trap '' TERM; " + (withoutEnvironment ? daemon.daemonizeWithoutEnvironment() : daemon.daemonize())
                        + "; " + main.sleep())) {
            daemon.awaitAlive();
            main.awaitAlive();
            node.kill();
            daemon.awaitGone();
            main.awaitGone();

            assertThat(temp(node)).isDirectory();
            open(Isolation.NAMESPACE);
            assertThat(temp(node)).doesNotExist();
            assertThat(nodes()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void inASessionTheNextNodeEndsTheLeftovers(boolean withoutEnvironment) throws IOException {
        assumeFindsDaemons();
        EscapingDaemon daemon = new EscapingDaemon(directory);
        EscapingDaemon main = new EscapingDaemon(directory);
        try (ChildJvm node = node(Isolation.SESSION,
                "trap '' TERM; " + (withoutEnvironment ? daemon.daemonizeWithoutEnvironment() : daemon.daemonize())
                        + "; " + main.sleep())) {
            daemon.awaitAlive();
            main.awaitAlive();
            node.kill();
            assertThat(daemon.alive()).isNotEmpty();

            open(Isolation.SESSION);
            assertThat(daemon.alive()).isEmpty();
            assertThat(main.alive()).isEmpty();
            assertThat(temp(node)).doesNotExist();
            assertThat(nodes()).hasSize(1);
        }
    }

    /** What every platform promises. */
    @Test
    void theNextNodeEndsTheCommandAndItsDescendants() throws IOException {
        EscapingDaemon deep = new EscapingDaemon(directory);
        try (ChildJvm node = node(Isolation.TREE, "sh -c \"trap '' TERM; " + deep.sleep() + " & wait; wait\"; true")) {
            deep.awaitAlive();
            node.kill();

            open(Isolation.SESSION);
            assertThat(deep.alive()).isEmpty();
            assertThat(temp(node)).doesNotExist();
            assertThat(nodes()).hasSize(1);
        }
    }

    @Test
    void theFirstProcessDiesWithTheNode() {
        assumeTrue(Platform.here() instanceof LinuxPlatform, "the portable platform leaves it to the next node");
        EscapingDaemon main = new EscapingDaemon(directory);
        try (ChildJvm node = node(Isolation.SESSION, "exec " + main.sleep())) {
            main.awaitAlive();
            node.kill();
            main.awaitGone();
        }
    }

    @Test
    void nodesOnOneMachineDoNotTouchEachOthersProcesses() throws IOException {
        assumeFindsDaemons();
        EscapingDaemon daemon = new EscapingDaemon(directory);
        String script = daemon.daemonizeWithoutEnvironment() + "; sleep 86400";
        try (ChildJvm other = node(Isolation.SESSION, script)) {
            daemon.awaitAlive();
            EscapingDaemon own = new EscapingDaemon(directory);
            Processes here = open(Isolation.SESSION);
            RunningProcess process = here
                    .start(shell(own.daemonizeWithoutEnvironment() + "; " + own.awaitUp() + "; exit 2")
                            .inExclusive(directory));
            assertThat(end(process).code()).isEqualTo(2);
            assertThat(own.alive()).isEmpty();
            here.close();

            assertThat(daemon.alive()).hasSize(1);
            assertThat(other.lines()).noneMatch(line -> line.startsWith("ended"));
            assertThat(nodes()).hasSize(1);
            other.kill();
        }
        // The next node cleans up after the killed one.
        open(Isolation.SESSION);
        assertThat(daemon.alive()).isEmpty();
    }
}
