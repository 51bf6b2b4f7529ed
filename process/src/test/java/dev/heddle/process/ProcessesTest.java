package dev.heddle.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import dev.heddle.testkit.Torture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Starting, reading, writing and stopping, which work the same with every isolation. */
@Tag("portable")
class ProcessesTest extends ProcessFixture {

    @ParameterizedTest
    @EnumSource
    void reportsTheExitCode(Isolation isolation) {
        Processes processes = open(isolation);

        assertThat(end(processes.start(shell("exit 0")))).isEqualTo(new Exit(0, false, null, 0, List.of()));
        assertThat(end(processes.start(shell("exit 7"))).code()).isEqualTo(7);
        assertThat(end(processes.start(shell("kill -TERM $$; sleep 60"))).code()).isEqualTo(Exit.TERMINATED);
        assertThat(end(processes.start(shell("kill -KILL $$; sleep 60"))).code()).isEqualTo(Exit.KILLED);
        assertThat(processes.running()).isEmpty();
        processes.close();
        assertThat(registry()).isEmptyDirectory();
    }

    @ParameterizedTest
    @EnumSource
    void readsFromAFileAndWritesToFiles(Isolation isolation) throws IOException {
        Files.writeString(file("in"), "hello\n");
        Files.writeString(file("out"), "before\n");

        Exit exit = end(open(isolation).start(shell("cat; echo oops >&2").input(Input.from(file("in")))
                .output(Output.to(file("out"))).errors(Output.to(file("err")))));

        assertThat(exit.isClean()).isTrue();
        assertThat(read("out")).isEqualTo("before\nhello\n");
        assertThat(read("err")).isEqualTo("oops\n");
    }

    @ParameterizedTest
    @EnumSource
    void exchangesDataThroughPipes(Isolation isolation) throws IOException {
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        RunningProcess process = open(isolation).start(
                shell("read line; echo got $line; echo bad >&2; cat").input(Input.pipe()).output(Output.to(received)));
        process.input().write("one\n".getBytes(StandardCharsets.UTF_8));
        process.input().flush();
        Awaitility.await().atMost(LONG).until(() -> received.toString(StandardCharsets.UTF_8).contains("bad\n"));
        process.input().write("two\n".getBytes(StandardCharsets.UTF_8));
        process.input().close();

        assertThat(end(process).isClean()).isTrue();
        assertThat(received.toString(StandardCharsets.UTF_8)).isEqualTo("got one\nbad\ntwo\n");
    }

    @ParameterizedTest
    @EnumSource
    void deliversAllOfALargeOutput(Isolation isolation) {
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        Exit exit = end(
                open(isolation).start(shell("head -c 3000000 /dev/zero; echo end").output(Output.to(received))));

        assertThat(exit.isClean()).isTrue();
        assertThat(received.size()).isEqualTo(3_000_004);
        assertThat(received.toString(StandardCharsets.US_ASCII)).endsWith("\0end\n");
    }

    @Test
    void continuesIfTheOutputStreamFails() throws IOException {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("no space left on device");
            }
        };
        Exit exit = end(open(Isolation.NAMESPACE)
                .start(shell("head -c 3000000 /dev/zero; echo done > done").output(Output.to(full))));

        assertThat(exit.isClean()).isTrue();
        assertThat(read("done")).isEqualTo("done\n");
    }

    @Test
    void getsAnEmptyInputByDefault() {
        assertThat(end(open(Isolation.NAMESPACE).start(shell("cat"))).isClean()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void passesExactlyTheGivenEnvironment(Isolation isolation) throws IOException {
        Processes processes = open(isolation);
        RunningProcess process = processes.start(Launch.of("test", "/usr/bin/env")
                .environment(Map.of("A", "1", "ODD", "x=y\nz")).in(directory).output(Output.to(file("out"))));
        end(process);

        // The shell that isolates the command adds variables about itself.
        List<String> seen = Stream.of(read("out").split("\n", -1))
                .filter(line -> !line.matches("(PWD|OLDPWD|SHLVL|_)=.*")).filter(line -> !line.isEmpty()).toList();
        String temp = process.temp().toString();
        assertThat(seen).containsExactlyInAnyOrder("A=1", "ODD=x=y", "z", "TMPDIR=" + temp, "TMP=" + temp,
                "TEMP=" + temp, "HEDDLE_MARK=" + process.id());
    }

    @ParameterizedTest
    @EnumSource
    void createsATempDirectoryAndDeletesItAfterwards(Isolation isolation) throws IOException {
        RunningProcess process = open(isolation).start(shell("""
                mkdir -p "$TMPDIR/deep/er" && echo x > "$TMPDIR/deep/er/file" && ln -s / "$TMPDIR/deep/root"
                chmod 500 "$TMPDIR/deep/er"; stat -c %a "$TMPDIR" > mode"""));

        assertThat(end(process).isClean()).isTrue();
        assertThat(read("mode")).isEqualTo("700\n");
        assertThat(process.temp()).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource
    void sendsSigtermFirstAndKillsLater(Isolation isolation) throws IOException {
        Processes processes = open(isolation);
        RunningProcess polite = processes
                .start(shell("trap 'echo asked > asked; exit 5' TERM; echo > up; while :; do sleep 0.01; done"));
        awaitFile("up");
        assertThat(end(stop(polite, LONG))).isEqualTo(new Exit(5, true, null, 0, List.of()));
        assertThat(read("asked")).isEqualTo("asked\n");

        RunningProcess stubborn = processes.start(shell("trap '' TERM; echo > up2; while :; do sleep 0.01; done"));
        awaitFile("up2");
        assertThat(end(stop(stubborn, Duration.ofMillis(50))).code()).isEqualTo(Exit.KILLED);
    }

    @Test
    void theEarliestStopDeadlineCounts() {
        RunningProcess stubborn = open(Isolation.NAMESPACE)
                .start(shell("trap '' TERM; echo > up; while :; do sleep 0.01; done"));
        awaitFile("up");
        stop(stubborn, Duration.ofDays(1));

        assertThat(end(stop(stubborn, Duration.ZERO)).code()).isEqualTo(Exit.KILLED);
    }

    @ParameterizedTest
    @EnumSource
    void canBeStoppedAtAnyMomentDuringItsStart(Isolation isolation) {
        Processes processes = open(settings(isolation).grace(Duration.ofMillis(100)));
        Random random = Torture.random("stopped while it starts");
        // Without a session, the init process of the system reaps the orphans, which may take seconds.
        int rounds = processes.isolation() != Isolation.TREE ? Torture.rounds(20, 2_000)
                : isolation == Isolation.TREE ? Torture.rounds(3, 100) : 1;
        for (int i = 0; i < rounds; i++) {
            RunningProcess process = processes.start(shell("sleep 86400"));
            LockSupport.parkNanos(random.nextLong(8_000_000));
            process.stop(random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(100));
            assertThat(end(process).code()).isIn(Exit.TERMINATED, Exit.KILLED);
        }
    }

    @Test
    void stoppingAnEndedProcessDoesNothing() {
        RunningProcess process = open(Isolation.NAMESPACE).start(shell("exit 3"));
        end(process);

        assertThat(end(stop(process, Duration.ZERO))).isEqualTo(new Exit(3, false, null, 0, List.of()));
    }

    @Test
    void closingStopsAllProcessesAndEmptiesTheRegistry() throws IOException {
        Processes processes = open(settings(Isolation.NAMESPACE).grace(Duration.ofMillis(100)));
        EscapingDaemon stubborn = new EscapingDaemon(directory);
        for (int i = 0; i < 5; i++) {
            processes.start(shell("trap '' TERM; " + stubborn.sleep() + " & wait; wait"));
        }
        Awaitility.await().atMost(LONG).until(() -> stubborn.alive().size() == 5);
        processes.close();

        assertThat(stubborn.alive()).isEmpty();
        try (Stream<Path> left = Files.list(registry())) {
            assertThat(left).isEmpty();
        }
        processes.close();
    }

    @Test
    void findsTheProcessesThatWorkInADirectory() throws IOException {
        assumeTrue(Platform.here() instanceof LinuxPlatform, "the portable platform does not know working directories");
        Processes processes = open(Isolation.NAMESPACE);
        Path inside = Files.createDirectories(file("place/deeper"));
        RunningProcess process = processes.start(shell("exec sleep 86400").in(inside));

        Awaitility.await().atMost(LONG).until(() -> !processes.inside(file("place").toRealPath()).isEmpty());
        assertThat(processes.inside(Files.createDirectory(file("empty")))).isEmpty();
        end(stop(process, Duration.ZERO));
        assertThat(processes.inside(file("place").toRealPath())).isEmpty();
    }

    @Test
    void listsAProcessWhileItRuns() {
        Processes processes = open(Isolation.NAMESPACE);
        RunningProcess process = processes.start(shell("sleep 86400"));

        assertThat(processes.running()).containsExactly(process);
        assertThat(process.identity().pid()).isPositive();
        assertThat(process.identity().startTicks()).isPositive();
        assertThat(process.identity().bootId()).isEqualTo(Platform.here().machine().bootId());
        assertThat(process).hasToString("test (process " + process.identity().pid() + ")");
        end(stop(process, Duration.ZERO));
        assertThat(processes.running()).isEmpty();
    }

    private static RunningProcess stop(RunningProcess process, Duration within) {
        process.stop(within);
        return process;
    }

    private void awaitFile(String name) {
        Awaitility.await().atMost(LONG).until(() -> Files.exists(file(name)));
    }
}
