package dev.heddle.cli.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.Main;
import dev.heddle.control.ControlJson;
import dev.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** {@code heddle run} in a child process, as a shell starts it. */
@Timeout(300)
class RunTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private Path home() {
        return directory.resolve(".heddle");
    }

    private Answer call(String... args) {
        return new Cli(Map.of("HEDDLE_HOME", home().toString())).call(args);
    }

    private JsonNode lastJob() {
        String id = ControlJson.tree(call("job", "list", "-o", "json").out()).at("/0/id").asString();
        return ControlJson.tree(call("job", "show", id, "-o", "json").out());
    }

    /** Starts the command with stdout and stderr redirected to files. */
    private ChildJvm run(String... args) {
        List<String> arguments = new ArrayList<>(List.of("--home", home().toString(), "run"));
        arguments.addAll(List.of(args));
        return ChildJvm.startIn(List.of("sh", "-c", "exec \"$@\" > " + out() + " 2> " + err(), "sh"), Main.class,
                arguments.toArray(String[]::new));
    }

    private Path out() {
        return directory.resolve("out");
    }

    private Path err() {
        return directory.resolve("err");
    }

    private int exit(String... args) {
        try (ChildJvm run = run(args)) {
            return run.exitCode(PATIENCE);
        }
    }

    private void git(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-c", "user.name=Ann", "-c", "user.email=a@b"));
        command.addAll(List.of(arguments));
        assertThat(
                new ProcessBuilder(command).directory(directory.resolve("app").toFile()).inheritIO().start().waitFor())
                .isZero();
    }

    @Test
    void runsWithoutANodeAndExitsWithTheCodeOfTheProgram() throws Exception {
        assertThat(exit("--", "sh", "-c", "echo out; echo err >&2; exit 7")).as(Files.readString(err())).isEqualTo(7);
        assertThat(out()).hasContent("out");
        JsonNode job = lastJob();
        assertThat(err()).hasContent("heddle: job " + job.at("/job/id").asString() + "\nerr");
        assertThat(job.at("/runs/0/exitCode").asInt()).isEqualTo(7);
        assertThat(home().resolve("node.json")).doesNotExist();
        assertThat(exit("true")).isZero();
        assertThat(exit("--", "no-such-program")).isEqualTo(3);
        assertThat(Files.readString(err())).startsWith("heddle: ").contains("no-such-program").hasLineCount(2);
        assertThat(exit("--timeout", "300ms", "--", "sleep", "1000")).isEqualTo(124);
    }

    @Test
    void runsOnTheRunningNode() throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"), """
                types:
                  broken:
                    command: [sh, -c, 'for i in $(seq 12); do echo "line $i" >&2; done; exit 3']
                    retries: 0
                """);
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            assertThat(exit("--env", "GREETING=hello there", "--", "sh", "-c", "echo $GREETING; printf '%s' \"$0 $1\"",
                    "a b", "{{c}}")).as(Files.readString(err())).isZero();
            assertThat(out()).hasContent("hello there\na b {{c}}");
            String id = lastJob().at("/job/id").asString();
            assertThat(call("job", "logs", id, "--raw").out()).isEqualTo("hello there\na b {{c}}");
            assertThat(call("job", "logs", id).out()).contains("hello there", "Completed");
            assertThat(call("job", "show", id).out()).contains("exit code   0");
            Answer failed = call("submit", "broken", "--wait");
            assertThat(failed.exit()).isEqualTo(1);
            assertThat(failed.err().lines().toList()).startsWith("line 3").endsWith(failed.err().lines()
                    .filter(line -> line.startsWith("heddle: job ")).toList().getLast()).hasSize(11)
                    .contains("line 12");
            assertThat(call("worker", "start").exit()).isZero();
            assertThat(call("worker", "logs", "default-1").out()).contains("Started command");
            Answer refused = call("worker", "start", "--keep-worktrees");
            assertThat(refused.exit()).isEqualTo(2);
            assertThat(call("worker", "drain", "default-5").out()).contains("/default-5");
            node.signal("TERM");
            assertThat(node.exitCode()).isZero();
        }
    }

    /** The node has another environment than the command, which matters: the user expects that of the command. */
    @Test
    void givesTheSameEnvironmentWithAndWithoutANode() throws Exception {
        String[] program = {"--env", "OWN=1", "--", "sh", "-c", "env | sort | grep -v -e ^HEDDLE_ -e ^TE*MP"};
        assertThat(exit(program)).isZero();
        String without = Files.readString(out());
        try (ServedNode _ = ServedNode.startIn(List.of("env", "OF_NODE=1", "LANG=xx"), home())
                .awaitListening()) {
            assertThat(exit(program)).isZero();
        }
        assertThat(Files.readString(out())).isEqualTo(without).contains("OWN=1", "PATH=").doesNotContain("OF_NODE");
    }

    @Test
    void savesChangesInAWorktree() throws Exception {
        Files.createDirectories(directory.resolve("app"));
        git("init", "-q", "-b", "main");
        Files.writeString(directory.resolve("app/file"), "before\n");
        git("add", "file");
        git("commit", "-q", "-m", "first");
        Files.writeString(directory.resolve("app/file"), "not committed\n");
        Path app = directory.resolve("app").toRealPath();
        assertThat(exit("--worktree", app.toString(), "--artifact", "made/*", "--", "sh", "-c",
                "cat file; echo after > file; mkdir made; echo x > made/x")).as(Files.readString(err())).isZero();
        assertThat(out()).hasContent("before");
        assertThat(Files.readString(err())).contains(app + " has uncommitted changes",
                "changes saved; show them with: git -C " + app + " diff ", "1 artifact in " + home());
        JsonNode run = lastJob().at("/runs/0");
        JsonNode kept = run.get("work");
        git("grep", "-q", "before", kept.get("base").asString(), "--", "file");
        git("grep", "-q", "after", kept.get("ref").asString(), "--", "file");
        assertThat(home().resolve("artifacts/" + run.at("/job").asString() + "/1/made/x")).hasContent("x");
        String job = run.at("/job").asString();
        assertThat(call("job", "artifacts", job).out()).contains("made/x").hasLineCount(2);
        assertThat(call("job", "artifacts", job, "made/x").out()).isEqualTo("x\n");
        assertThat(call("job", "artifacts", job, "../1/made/x").exit()).isEqualTo(3);
        assertThat(call("job", "artifacts", job, "--save", directory.resolve("saved").toString()).exit()).isZero();
        assertThat(directory.resolve("saved/made/x")).hasContent("x");
        assertThat(call("job", "artifacts", job, "--save", directory.resolve("saved").toString()).err())
                .contains("exists already").hasLineCount(1);
        try (ServedNode _ = ServedNode.start(home()).awaitListening()) {
            assertThat(call("job", "artifacts", job, "made/x").out()).isEqualTo("x\n");
            assertThat(call("job", "artifacts", job, "made/y").err()).contains("has no artifact 'made/y'");
            assertThat(call("job", "artifacts", job, "..").exit()).isEqualTo(2);
        }
        assertThat(call("job", "show", run.at("/job").asString()).out()).contains("changes     git -C " + app + " diff "
                + kept.get("base").asString() + " " + kept.get("ref").asString());
    }

    @Test
    void isCancelledByCtrlC() throws Exception {
        try (ChildJvm run = run("--", "sh", "-c", "echo began; exec sleep 1000")) {
            await().atMost(PATIENCE).until(() -> Files.exists(out()) && Files.readString(out()).contains("began"));
            assertThat(new ProcessBuilder("kill", "-INT", String.valueOf(run.pid())).start().waitFor()).isZero();
            assertThat(run.exitCode(PATIENCE)).as(Files.readString(err())).isEqualTo(130);
        }
        assertThat(lastJob().at("/job/state").asString()).isEqualTo("CANCELLED");
        assertThat(lastJob().at("/job/reason").asString()).isEqualTo("interrupted");
    }

    @Test
    void rejectsInvalidOptionsWithOneLine() {
        assertRefused("'../x'", "--artifact", "../x", "--", "true");
        assertRefused("does not exist", "--worktree", directory.resolve("missing").toString(), "--", "true");
        assertRefused("git repository", "--worktree", directory.toString(), "--", "true");
        assertRefused("--ref requires --worktree", "--ref", "main", "--", "true");
        assertRefused("CMD", "--timeout", "5s");
        assertRefused("--worktre", "--worktre", "x", "--", "true");
        assertThat(home()).doesNotExist();
    }

    private void assertRefused(String message, String... args) {
        List<String> all = new ArrayList<>(List.of("run"));
        all.addAll(List.of(args));
        Answer answer = call(all.toArray(String[]::new));
        assertThat(answer.exit()).isEqualTo(2);
        assertThat(answer.err()).contains(message).hasLineCount(1);
    }
}
