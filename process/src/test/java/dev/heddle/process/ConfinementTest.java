package dev.heddle.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Processes in a sandbox or of another user are supervised as all others are. */
class ConfinementTest extends ProcessFixture {

    private static final Confinement SANDBOX = Confinement.NONE.sandbox(Sandbox.standard());
    private static final Confinement NOBODY = Confinement.NONE.user("nobody");

    @BeforeEach
    void makeDirectoryWritableForAll() throws IOException {
        assumeThat(System.getProperty("os.name")).isEqualTo("Linux");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    static Stream<Arguments> everyWay() {
        List<Confinement> confinements = Confinement.userProblem().isPresent() ? List.of(SANDBOX)
                : List.of(SANDBOX, NOBODY, NOBODY.sandbox(Sandbox.standard().network(false)));
        return confinements.stream().flatMap(confinement -> Stream.of(Isolation.SESSION, Isolation.NAMESPACE)
                .map(isolation -> Arguments.of(confinement, isolation)));
    }

    @ParameterizedTest
    @MethodSource("everyWay")
    void exitsAsTheCommandDoes(Confinement confinement, Isolation isolation) throws IOException {
        RunningProcess process = open(isolation)
                .start(shell("echo $HOME; echo t > $TMPDIR/x && cat $TMPDIR/x; exit 7").confinement(confinement)
                        .output(Output.to(file("out"))).errors(Output.to(file("err"))));
        assertThat(end(process).code()).isEqualTo(7);
        assertThat(read("out")).endsWith("t\n");
        assertThat(read("err")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("everyWay")
    void canEndInItsOwnWayWhenItIsStopped(Confinement confinement, Isolation isolation) {
        RunningProcess process = open(isolation)
                .start(shell("trap 'echo ended > end; exit 3' TERM; echo > up; while :; do sleep 0.05; done")
                        .confinement(confinement));
        awaitFile("up");
        process.stop(LONG);
        assertThat(end(process).code()).isEqualTo(3);
        assertThat(file("end")).hasContent("ended");
    }

    @ParameterizedTest
    @MethodSource("everyWay")
    void leavesNothingWhenItEndsOrIsKilled(Confinement confinement, Isolation isolation) {
        Processes processes = open(isolation);
        EscapingDaemon left = new EscapingDaemon(directory);
        RunningProcess ending = processes.start(shell(left.daemonizeWithoutEnvironment() + "; " + left.awaitUp())
                .confinement(confinement));
        assertThat(end(ending).code()).isZero();
        assertThat(left.alive()).isEmpty();

        EscapingDaemon killed = new EscapingDaemon(directory);
        RunningProcess stubborn = processes.start(
                shell("trap '' TERM; " + killed.daemonizeWithoutEnvironment() + "; echo > up; while :; do sleep 0.05;"
                        + " done").confinement(confinement));
        awaitFile("up");
        stubborn.stop(Duration.ofMillis(1));
        end(stubborn);
        assertThat(killed.alive()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("everyWay")
    void aDetachedProcessIsStoppedToo(Confinement confinement, Isolation isolation) throws IOException {
        Path state = Files.createDirectory(file("state"));
        EscapingDaemon daemon = new EscapingDaemon(directory);
        DetachedProcess process = DetachedProcess.start(state,
                shell("trap 'exit 3' TERM; " + daemon.daemonizeWithoutEnvironment()
                        + "; echo t > $TMPDIR/heddle-test-$$ && rm $TMPDIR/heddle-test-$$ && echo > up;"
                        + " while :; do sleep 0.05; done")
                        .confinement(confinement).output(Output.to(file("out"))).errors(Output.to(file("err"))),
                LONG);
        awaitFile("up");
        assertThat(process.exit()).isEqualTo(Optional.empty());
        assertThat(process.stop(LONG).code()).isEqualTo(3);
        assertThat(daemon.alive()).isEmpty();
    }

    @Test
    void aSandboxHidesProcessesAndTheNetworkAndIsReadOnly() throws IOException {
        Path work = Files.createDirectory(file("work"));
        Path secrets = Files.createDirectory(work.resolve("secrets"));
        Files.writeString(secrets.resolve("key"), "hunter2");
        RunningProcess process = open(Isolation.SESSION).start(Launch
                .of("test", "sh", "-c", """
                        ls /proc | grep -c '^[0-9]'; grep -c : /proc/net/dev; ls -A ~ | wc -l; ls "$1" | wc -l
                        echo x > /etc/heddle-test || echo read-only; echo x > inside && cat inside
                        ls /run /tmp | grep -c sock
                        """, "sh", secrets.toString())
                .environment(Map.of("PATH", "/usr/bin:/bin", "HOME", System.getProperty("user.home")))
                .in(work).output(Output.to(file("out"))).errors(Output.discarded())
                .confinement(Confinement.NONE
                        .sandbox(Sandbox.standard().network(false).hide(List.of(secrets)))));
        end(process);
        List<String> lines = Files.readAllLines(file("out"));
        assertThat(Integer.parseInt(lines.getFirst())).as("processes in %s", lines).isLessThan(8);
        assertThat(lines.subList(1, lines.size())).containsExactly("1", "0", "0", "read-only", "x", "0");
    }

    @Test
    void saysWhatIsMissing() {
        Processes processes = open(Isolation.SESSION);
        assertThatThrownBy(() -> processes.start(shell("true").confinement(Confinement.NONE.user("no-such-user"))))
                .isInstanceOf(LaunchException.class).hasMessageContaining("cannot run as user 'no-such-user': ");
        Path program = file("program");
        assertThatThrownBy(() -> {
            Files.writeString(program, "#!/bin/sh\n");
            assertThat(program.toFile().setExecutable(true)).isTrue();
            processes.start(Launch.of("test", program.toString()).in(Path.of("/usr"))
                    .confinement(SANDBOX));
        }).isInstanceOf(LaunchException.class).hasMessageContaining("is hidden by the sandbox");
    }

    private void awaitFile(String name) {
        Awaitility.await().atMost(LONG).until(() -> Files.exists(file(name)));
    }
}
