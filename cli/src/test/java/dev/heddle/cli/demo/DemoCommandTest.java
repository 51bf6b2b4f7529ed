package dev.heddle.cli.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.shell.ExitCode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class DemoCommandTest {

    private static Answer play(Scene... scenes) throws Exception {
        Cli cli = new Cli();
        return cli.answer(DemoCommand.run(List.of(scenes), cli.commandLine()));
    }

    private static List<String> table(Answer answer) {
        return answer.out().lines().dropWhile(line -> !line.startsWith("check ")).skip(1)
                .filter(line -> !line.isBlank()).toList();
    }

    private static Set<Path> demoDirectories() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("heddle-demo-"))
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void showsWhatHeddleDoesAndLeavesNothingBehind() throws Exception {
        Answer answer = Cli.run("demo");

        assertThat(answer.err()).isEmpty();
        assertThat(answer.exit()).as(answer.out()).isEqualTo(ExitCode.OK.code());
        assertThat(table(answer)).hasSize(11).allMatch(line -> line.endsWith(" ok"));
        assertThat(answer.out()).contains("one worker ran: alarm, code, bill, slip, news")
                .contains("attempt 3: page fetched").contains("parcel 7 has no address")
                .contains("the store has 7 completed steps").contains("2 steps were running")
                .contains("11 steps ran after the crash")
                .contains("agent in mode silent: COMPLETED after 2 attempts", "11 of 12 done, 1 failed, $1.30")
                .doesNotContain("\u001b");
        Matcher directory = Pattern.compile("on SQLite in (\\S+)").matcher(answer.out());
        assertThat(directory.find()).isTrue();
        assertThat(Path.of(directory.group(1))).doesNotExist();
        Matcher child = Pattern.compile("kill -9 (\\d+)").matcher(answer.out());
        assertThat(child.find()).isTrue();
        assertThat(isAlive(child.group(1))).isFalse();
    }

    @Test
    void failsIfACompletedStepRanTwice() throws Exception {
        DemoWorker repeating = directory -> {
            new StepLog(directory).ran("order 1", "reserve");
            return new ChildJvm().start(directory);
        };

        Answer answer = play(new CrashScene(repeating));

        assertThat(answer.exit()).isEqualTo(ExitCode.FAILED.code());
        assertThat(answer.err())
                .isEqualTo("heddle demo: failed checks: completed steps that ran twice (expected 0, was 1)"
                        + System.lineSeparator());
        assertThat(table(answer)).filteredOn(line -> line.endsWith("FAILED")).hasSize(1);
    }

    @Test
    void reportsTheOutputOfASecondJvmThatFails() throws Exception {
        DemoWorker broken = directory -> new ProcessBuilder("sh", "-c", "echo no memory; exit 3")
                .redirectOutput(directory.resolve("worker.out").toFile()).start();

        Answer answer = play(new CrashScene(broken));

        assertThat(answer.exit()).isEqualTo(ExitCode.FAILED.code());
        assertThat(answer.err()).contains("the second JVM exited with code 3: no memory");
    }

    @Test
    void leavesNothingBehindIfStoppedHalfway() throws Exception {
        Process demo = new ProcessBuilder(ChildJvm.command("demo")).redirectErrorStream(true).start();
        try (BufferedReader output = demo.inputReader()) {
            Matcher directory = find("on SQLite in (\\S+)", output);
            Matcher child = find("a second JVM \\(process (\\d+)\\)", output);
            demo.destroy();

            assertThat(demo.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(demo.exitValue()).as("terminated").isEqualTo(143);
            assertThat(Path.of(directory.group(1))).doesNotExist();
            assertThat(isAlive(child.group(1))).isFalse();
        } finally {
            demo.destroyForcibly();
        }
    }

    /** The agents never end, so the demo is stopped while they run. */
    @Test
    void endsTheAgentsIfStoppedWhileTheyRun(@TempDir Path directory) throws Exception {
        Path bin = Files.createDirectories(directory.resolve("bin"));
        Path python = Files.writeString(bin.resolve("python3"), """
                #!/bin/sh
                [ "$1" = --version ] && exit
                trap 'exit 143' TERM
                sleep 3600 & wait
                """);
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path temp = Files.createDirectories(directory.resolve("temp"));
        ProcessBuilder builder = new ProcessBuilder(
                ChildJvm.java("-Djava.io.tmpdir=" + temp, OnlyAgents.class.getName())).redirectErrorStream(true)
                .redirectOutput(directory.resolve("out").toFile());
        builder.environment().merge("PATH", bin.toString(), (path, first) -> first + ":" + path);
        Process demo = builder.start();
        try {
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !agentsIn(temp).isEmpty());
            demo.destroy();

            assertThat(demo.waitFor(90, TimeUnit.SECONDS)).isTrue();
            assertThat(demo.exitValue()).as("terminated").isEqualTo(143);
            assertThat(agentsIn(temp)).isEmpty();
            assertThat(temp).isEmptyDirectory();
            assertThat(directory.resolve("out")).as("what it logged").isEmptyFile();
        } finally {
            demo.destroyForcibly();
            agentsIn(temp).forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static List<ProcessHandle> agentsIn(Path directory) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(directory + "/heddle-demo-"))
                .toList();
    }

    /** Plays only the scene with agents. Its output is discarded, so anything printed comes from logging. */
    static final class OnlyAgents {

        private OnlyAgents() {}

        public static void main(String[] args) throws Exception {
            System.exit(DemoCommand.run(List.of(new AgentScene()), new Cli().commandLine()));
        }
    }

    private static Matcher find(String pattern, BufferedReader output) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher matcher = Pattern.compile(pattern).matcher(line);
            if (matcher.find()) {
                return matcher;
            }
        }
        throw new AssertionError("the demo ended before it printed " + pattern);
    }

    private static boolean isAlive(String pid) {
        return ProcessHandle.of(Long.parseLong(pid)).map(ProcessHandle::isAlive).orElse(false);
    }

    @Test
    void failsIfACheckFailsAndStillPlaysTheRest() throws Exception {
        Set<Path> before = demoDirectories();
        Scene disappointing = new Scene() {
            @Override
            public String title() {
                return "Disappointment";
            }

            @Override
            public List<Check> play(Stage stage) {
                return List.of(new Check("the answer", "42", "41"));
            }
        };

        Answer answer = play(disappointing, new PriorityScene());

        assertThat(answer.exit()).isEqualTo(ExitCode.FAILED.code());
        assertThat(answer.err()).contains("the answer (expected 42, was 41)");
        assertThat(table(answer)).hasSize(3);
        assertThat(table(answer).getFirst()).matches("the answer +42 +41 +FAILED");
        assertThat(demoDirectories()).isEqualTo(before);
    }
}
