package dev.heddle.process;

import java.io.OutputStream;
import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** A command forks twice, daemonises, even scrubs its environment: when it ends, however it does, nothing is left. */
class LeaveNothingTest extends ProcessFixture {

    static Stream<Arguments> waysToTryToGetAway() {
        return Stream.of(Isolation.SESSION, Isolation.NAMESPACE)
                .flatMap(isolation -> Stream.of(true, false).map(scrubbed -> arguments(isolation, scrubbed)));
    }

    private static String flee(Daemon daemon, boolean scrubbed) {
        return scrubbed ? daemon.scrubbed() : daemon.ordinary();
    }

    @ParameterizedTest
    @MethodSource("waysToTryToGetAway")
    void afterAnEndOfItsOwn(Isolation isolation, boolean scrubbed) {
        Daemon daemon = new Daemon(directory);
        Exit exit = end(
                open(isolation).start(shell(flee(daemon, scrubbed) + "; " + daemon.awaitUp() + "; exit 4")));

        assertThat(daemon.alive()).isEmpty();
        assertThat(exit.code()).isEqualTo(4);
        // In a namespace the kernel does it.
        assertThat(exit.swept() > 0).isEqualTo(isolation == Isolation.SESSION);
        assertThat(exit.survivors()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("waysToTryToGetAway")
    void afterAStop(Isolation isolation, boolean scrubbed) {
        Daemon daemon = new Daemon(directory);
        RunningProcess process = open(isolation).start(shell(flee(daemon, scrubbed) + "; sleep 86400"));
        daemon.awaitAlive();
        process.stop();

        assertThat(end(process).code()).isEqualTo(Exit.TERMINATED);
        assertThat(daemon.alive()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("waysToTryToGetAway")
    void afterAKill(Isolation isolation, boolean scrubbed) {
        Daemon daemon = new Daemon(directory);
        RunningProcess process = open(isolation)
                .start(shell("trap '' TERM; " + flee(daemon, scrubbed) + "; sleep 86400"));
        daemon.awaitAlive();
        process.stop(Duration.ZERO);

        assertThat(end(process).code()).isEqualTo(Exit.KILLED);
        assertThat(daemon.alive()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("waysToTryToGetAway")
    void afterClosing(Isolation isolation, boolean scrubbed) {
        Daemon daemon = new Daemon(directory);
        Processes processes = open(isolation);
        processes.start(shell(flee(daemon, scrubbed) + "; sleep 86400"));
        daemon.awaitAlive();
        processes.close();

        assertThat(daemon.alive()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("waysToTryToGetAway")
    void whileItHoldsTheOutput(Isolation isolation, boolean scrubbed) {
        Daemon daemon = new Daemon(directory);
        String holding = (scrubbed ? "env -i " : "") + "setsid -f " + daemon.sleep() + "; sleep 0.2; exit 4";
        Exit exit = end(open(isolation)
                .start(shell(holding).output(Output.to(OutputStream.nullOutputStream()))));

        assertThat(exit.code()).isEqualTo(4);
        assertThat(daemon.alive()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("waysToTryToGetAway")
    void ofItsOwnAndTouchesNoOther(Isolation isolation, boolean scrubbed) {
        Processes processes = open(isolation);
        Daemon other = new Daemon(directory);
        RunningProcess neighbour = processes.start(shell(flee(other, scrubbed) + "; sleep 86400"));
        other.awaitAlive();
        Daemon daemon = new Daemon(directory);
        Exit exit = end(processes.start(shell(flee(daemon, scrubbed) + "; " + daemon.awaitUp())));

        assertThat(exit.isClean()).isTrue();
        assertThat(daemon.alive()).isEmpty();
        assertThat(other.alive()).hasSize(1);
        neighbour.stop(Duration.ZERO);
        end(neighbour);
        assertThat(other.alive()).isEmpty();
    }
}
