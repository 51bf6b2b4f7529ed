package dev.heddle.process;

import java.io.OutputStream;
import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** A command starts a daemon, even one without an environment. However the command ends, no process is left. */
@Tag("portable")
class NoLeftoversTest extends ProcessFixture {

    @BeforeEach
    void needsLinux() {
        assumeFindsDaemons();
    }

    static Stream<Arguments> waysToEscape() {
        return Stream.of(Isolation.SESSION, Isolation.NAMESPACE).flatMap(isolation -> Stream.of(true, false)
                .map(withoutEnvironment -> arguments(isolation, withoutEnvironment)));
    }

    private static String escape(EscapingDaemon daemon, boolean withoutEnvironment) {
        return withoutEnvironment ? daemon.daemonizeWithoutEnvironment() : daemon.daemonize();
    }

    @ParameterizedTest
    @MethodSource("waysToEscape")
    void afterItEndsByItself(Isolation isolation, boolean withoutEnvironment) {
        EscapingDaemon daemon = new EscapingDaemon(directory);
        Exit exit = end(open(isolation)
                .start(shell(escape(daemon, withoutEnvironment) + "; " + daemon.awaitUp() + "; exit 4")));

        assertThat(daemon.alive()).isEmpty();
        assertThat(exit.code()).isEqualTo(4);
        // In a namespace, the kernel has killed the daemon before the sweep.
        assertThat(exit.swept() > 0).isEqualTo(isolation == Isolation.SESSION);
        assertThat(exit.survivors()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("waysToEscape")
    void afterItIsStopped(Isolation isolation, boolean withoutEnvironment) {
        EscapingDaemon daemon = new EscapingDaemon(directory);
        RunningProcess process = open(isolation).start(shell(escape(daemon, withoutEnvironment) + "; sleep 86400"));
        daemon.awaitAlive();
        process.stop();

        assertThat(end(process).code()).isEqualTo(Exit.TERMINATED);
        assertThat(daemon.alive()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("waysToEscape")
    void afterItIsKilled(Isolation isolation, boolean withoutEnvironment) {
        EscapingDaemon daemon = new EscapingDaemon(directory);
        RunningProcess process = open(isolation)
                .start(shell("trap '' TERM; " + escape(daemon, withoutEnvironment) + "; sleep 86400"));
        daemon.awaitAlive();
        process.stop(Duration.ZERO);

        assertThat(end(process).code()).isEqualTo(Exit.KILLED);
        assertThat(daemon.alive()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("waysToEscape")
    void afterTheNodeCloses(Isolation isolation, boolean withoutEnvironment) {
        EscapingDaemon daemon = new EscapingDaemon(directory);
        Processes processes = open(isolation);
        processes.start(shell(escape(daemon, withoutEnvironment) + "; sleep 86400"));
        daemon.awaitAlive();
        processes.close();

        assertThat(daemon.alive()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("waysToEscape")
    void ifTheDaemonHoldsTheOutputOpen(Isolation isolation, boolean withoutEnvironment) {
        EscapingDaemon daemon = new EscapingDaemon(directory);
        String holding = daemon.holdOutput(withoutEnvironment) + "; " + daemon.awaitUp() + "; exit 4";
        Exit exit = end(open(isolation).start(shell(holding).output(Output.to(OutputStream.nullOutputStream()))));

        assertThat(exit.code()).isEqualTo(4);
        assertThat(daemon.alive()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("waysToEscape")
    void withoutTouchingOtherProcesses(Isolation isolation, boolean withoutEnvironment) {
        Processes processes = open(isolation);
        EscapingDaemon other = new EscapingDaemon(directory);
        RunningProcess neighbour = processes.start(shell(escape(other, withoutEnvironment) + "; sleep 86400"));
        other.awaitAlive();
        EscapingDaemon daemon = new EscapingDaemon(directory);
        Exit exit = end(processes.start(shell(escape(daemon, withoutEnvironment) + "; " + daemon.awaitUp())));

        assertThat(exit.isClean()).isTrue();
        assertThat(daemon.alive()).isEmpty();
        assertThat(other.alive()).hasSize(1);
        neighbour.stop(Duration.ZERO);
        end(neighbour);
        assertThat(other.alive()).isEmpty();
    }
}
