package dev.heddle.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

import dev.heddle.job.Attempt.End;
import dev.heddle.job.Failure;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.RetryPolicy;
import dev.heddle.memory.MemoryStore;
import dev.heddle.output.RunFiles;
import dev.heddle.pool.JobHandle;
import dev.heddle.process.Headroom;
import dev.heddle.process.LaunchException;
import dev.heddle.run.Run;
import dev.heddle.run.Run.Artifact;
import dev.heddle.run.RunArchive;
import dev.heddle.testkit.ManualClock;
import dev.heddle.waiting.WaitReason;
import dev.heddle.worktree.GitRepo;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CommandJobTest {

    @TempDir
    Path directory;
    private Path home;
    private GitRepo repo;

    @BeforeEach
    void create() throws Exception {
        directory = directory.toRealPath();
        home = directory.resolve(".heddle");
        repo = GitRepo.at(directory.resolve("app"), 3);
    }

    private static CommandSpec sh(String script) {
        return CommandSpec.of("task", "sh", "-c", script);
    }

    private Job run(CommandSpec command, String payload) throws Exception {
        try (CommandFixture node = CommandFixture.open(home, command)) {
            return node.run(command, payload);
        }
    }

    @Test
    void passesThePayloadAndReadsTheResult() throws Exception {
        CommandSpec command = CommandSpec.of("task", "sh", "-c",
                """
                        printf '{"argument": "%s", "stdin": %s, "file": %s, "job": "%s", "worker": "%s"}' \
                            "$1" "$(cat)" "$(cat "$HEDDLE_PAYLOAD_PATH")" "$HEDDLE_JOB_ID" "$HEDDLE_WORKER_ID" > "$HEDDLE_RESULT_PATH"
                        """,
                "sh", "{{name}}");
        Job job = run(command, "{\"name\": \"a b; $HOME\", \"n\": 1}");
        assertThat(job.state()).isEqualTo(JobState.COMPLETED);
        assertThat(job.result().orElseThrow()).contains("\"argument\":\"a b; $HOME\"")
                .contains("\"stdin\":{\"name\":\"a b; $HOME\",\"n\":1}")
                .contains("\"file\":{\"name\":\"a b; $HOME\",\"n\":1}").contains("\"job\":\"" + job.id() + "\"")
                .contains("/default-");
    }

    @Test
    void completesWithoutAResult() throws Exception {
        Job job = run(sh("true"), "{}");
        assertThat(job.state()).isEqualTo(JobState.COMPLETED);
        assertThat(job.result()).isEmpty();
    }

    @Test
    void storesOutputAndExitCodeOfEveryAttempt() throws Exception {
        CommandSpec command = sh("echo out of $HEDDLE_ATTEMPT; echo 'it broke' >&2; exit 7")
                .type(type -> type.retry(RetryPolicy.linear(1, Duration.ofMillis(1))));
        try (CommandFixture node = CommandFixture.open(home, command)) {
            Job job = node.run(command, "{}");
            assertThat(job.state()).isEqualTo(JobState.FAILED);
            assertThat(job.failure().orElseThrow().message()).isEqualTo("sh: exit 7: it broke");
            assertThat(job.failure().orElseThrow().category()).isEqualTo(FailureCategory.TRANSIENT);
            assertThat(job.failure().orElseThrow().failedStep()).isEqualTo("command");
            assertThat(node.pool.admin().capability(RunArchive.class).orElseThrow().runs(job.id()))
                    .extracting(Run::exitCode).containsExactly(7, 7);
            assertThat(node.output(job.id(), 1).stdout()).isEqualTo("out of 1\n");
            assertThat(node.output(job.id(), 2).stdout()).isEqualTo("out of 2\n");
            assertThat(node.output(job.id(), 2).stderr()).isEqualTo("it broke\n");
            assertThat(new RunFiles(home, job.id(), 2).stdout()).hasContent("out of 2");
        }
    }

    @Test
    void doesNotRetryAfterAPermanentExit() throws Exception {
        CommandSpec command = sh("exit 2").type(type -> type.retry(RetryPolicy.linear(3, Duration.ofMillis(1))));
        assertThat(run(command, "{}").counts().attempt()).isEqualTo(1);
        CommandSpec chosen = sh("exit 9").permanentExits(9)
                .type(type -> type.retry(RetryPolicy.linear(3, Duration.ofMillis(1))));
        assertThat(run(chosen, "{}").counts().attempt()).isEqualTo(1);
    }

    @Test
    void buildsBeforeAndTestsAfterTheCommand() throws Exception {
        CommandSpec command = sh("cat built; echo command >> made").worktree(repo.path(), "main")
                .build("sh", "-c", "echo built > built").test("sh", "-c", "grep command made; cat made");
        try (CommandFixture node = CommandFixture.open(home, command)) {
            Job job = node.run(command, "{}");
            assertThat(job.state()).isEqualTo(JobState.COMPLETED);
            assertThat(node.output(job.id(), 1).stdout()).isEqualTo("built\ncommand\ncommand\n");
        }
        CommandSpec broken = sh("touch " + directory.resolve("ran")).build("false");
        assertThat(run(broken, "{}").failure().orElseThrow().failedStep()).isEqualTo("build");
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    void saysWhichStepFailedAndWhy() throws Exception {
        Failure build = failure(sh("true").build("sh", "-c", "echo no compiler >&2; exit 4"));
        assertThat(build.failedStep()).isEqualTo("build");
        assertThat(build.message()).isEqualTo("build: sh: exit 4: no compiler");
        Failure test = failure(sh("echo harmless warning >&2").test("sh", "-c", "exit 4"));
        assertThat(test.failedStep()).isEqualTo("test");
        assertThat(test.message()).as("without the errors of earlier steps").isEqualTo("test: sh: exit 4");
        Path tool = Files.copy(Path.of("/bin/true"), directory.resolve("tool"), StandardCopyOption.COPY_ATTRIBUTES);
        assertThat(failure(sh("rm " + tool).test(tool.toString())).failedStep()).isEqualTo("test");
    }

    private Failure failure(CommandSpec command) throws Exception {
        return run(command, "{}").failure().orElseThrow();
    }

    @Test
    void runsInItsOwnWorktreeAndSavesItsChanges() throws Exception {
        CommandSpec command = sh("""
                test "$PWD" = "$HEDDLE_WORKTREE_PATH" && git log -1 --format=%s && echo changed > README
                mkdir -p reports && echo ok > reports/a.xml && ln -s /etc/passwd reports/b.xml
                """).worktree(repo.path(), "{{branch}}").artifacts("reports/*").tools("git", "sh");
        try (CommandFixture node = CommandFixture.open(home, command)) {
            Job job = node.run(command, "{\"branch\": \"main\"}");
            assertThat(job.state()).as("%s", job.failure()).isEqualTo(JobState.COMPLETED);
            assertThat(node.output(job.id(), 1).stdout()).isEqualTo("first\n");
            Run run = node.lastRun(job.id());
            assertThat(run.artifacts()).containsExactly(new Artifact("reports/a.xml", 3));
            assertThat(new RunFiles(home, job.id(), 1).artifacts().resolve("reports/a.xml")).hasContent("ok");
            Run.Work work = Objects.requireNonNull(run.work());
            assertThat(repo.git("diff", "--name-only", work.base(), work.ref()).lines()).contains("README",
                    "reports/a.xml");
        }
        assertThat(repo.worktrees()).isEmpty();
    }

    @Test
    void stopsACommandThatTimesOutAndSavesItsChanges() throws Exception {
        Duration timeout = Duration.ofMinutes(1);
        CommandSpec command = sh("echo half > README; echo began; sleep 1000").worktree(repo.path(), "main")
                .timeout(timeout);
        ManualClock clock = new ManualClock(Instant.now());
        try (CommandFixture node = CommandFixture.open(CommandFixture.settings(home), clock, command)) {
            JobHandle<JsonNode> handle = node.submit(command, "{}");
            awaitOutput(handle.id(), "began");
            clock.advance(timeout);
            Job job = handle.awaitEnd(CommandFixture.PATIENCE);
            assertThat(node.pool.admin().details(job.id()).orElseThrow().attempts().getLast().end())
                    .isEqualTo(End.TIMED_OUT);
            assertThat(node.lastRun(job.id()).exitCode()).isIn(143, 137);
            assertThat(node.output(job.id(), 1).stdout()).isEqualTo("began\n");
            assertThat(repo.git("show", "refs/heddle/" + job.id() + "/1:README")).isEqualTo("half");
        }
        assertThat(repo.worktrees()).isEmpty();
    }

    @Test
    void savesTheChangesOfACancelledJob() throws Exception {
        CommandSpec command = sh("echo half > README; echo began; sleep 1000").worktree(repo.path(), "main");
        try (CommandFixture node = CommandFixture.open(home, command)) {
            JobId id = node.submit(command, "{}").id();
            awaitOutput(id, "began");
            node.pool.admin().cancel(id, "not needed");
            Awaitility.await().atMost(CommandFixture.PATIENCE).until(() -> node.lastRun(id).exitCode() != null);
            assertThat(repo.git("show", "refs/heddle/" + id + "/1:README")).isEqualTo("half");
        }
        assertThat(repo.worktrees()).isEmpty();
    }

    private void awaitOutput(JobId id, String text) {
        Path stdout = new RunFiles(home, id, 1).stdout();
        Awaitility.await().atMost(CommandFixture.PATIENCE).ignoreExceptions()
                .until(() -> Files.readString(stdout).contains(text));
    }

    @Test
    void returnsToTheQueueWhenTheNodeCloses() throws Exception {
        CommandSpec command = sh("test $HEDDLE_ATTEMPT = 2 || { echo began; sleep 1000; }");
        JobId id;
        try (CommandFixture node = CommandFixture.open(home, command)) {
            id = node.submit(command, "{}").id();
            awaitOutput(id, "began");
        }
        try (CommandFixture node = CommandFixture.open(home, command)) {
            Job job = node.awaitEnd(id);
            assertThat(job.state()).isEqualTo(JobState.COMPLETED);
            assertThat(job.counts().failures()).isZero();
            assertThat(node.pool.admin().details(id).orElseThrow().attempts().getFirst().end()).isEqualTo(End.RELEASED);
        }
    }

    @Test
    void deletesFilesAndRefsOfDeletedJobs() throws Exception {
        CommandSpec command = sh("echo changed > README; mkdir out; echo x > out/x").worktree(repo.path(), "main")
                .artifacts("out/**");
        try (CommandFixture node = CommandFixture.open(home, command)) {
            Job job = node.run(command, "{}");
            assertThat(repo.savedRefs()).hasSize(1);
            node.runtime.recorder().cleanUp();
            assertThat(new RunFiles(home, job.id(), 1).directory()).exists();
            node.pool.admin().delete(job.id());
            node.runtime.recorder().cleanUp();
            assertThat(repo.savedRefs()).isEmpty();
            assertThat(home.resolve("runs")).isEmptyDirectory();
            assertThat(home.resolve("artifacts")).isEmptyDirectory();
        }
    }

    @Test
    void failsWithAClearMessage() throws Exception {
        assertFailsPermanently(sh("true").directory(directory.resolve("missing")),
                "cannot run in " + directory.resolve("missing") + ": there is no such directory");
        assertFailsPermanently(sh("true").worktree(directory, "main"), directory + " is not a git repository");
        assertFailsPermanently(sh("true").worktree(repo.path(), "nowhere"), "no commit, branch or tag 'nowhere'");
        assertFailsPermanently(CommandSpec.of("task", "echo", "{{nam}}"), "the command needs the field 'nam'");
        assertFailsPermanently(sh("echo no json > $HEDDLE_RESULT_PATH"),
                "the result that the command wrote is not JSON");
    }

    private void assertFailsPermanently(CommandSpec command, String message) throws Exception {
        Job job = run(command, "{\"name\": 1}");
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.failure().orElseThrow().message()).startsWith(message);
        assertThat(job.failure().orElseThrow().category()).isEqualTo(FailureCategory.PERMANENT);
    }

    @Test
    void failsIfItsProgramIsDeletedLater() throws Exception {
        Path script = script("rwx------");
        CommandSpec command = CommandSpec.of("task", script.toString());
        try (CommandFixture node = CommandFixture.open(home, command)) {
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rw-------"));
            assertThat(node.run(command, "{}").failure().orElseThrow().message())
                    .startsWith("cannot execute " + script + ": it is not executable");
            Files.delete(script);
            assertThat(node.run(command, "{}").failure().orElseThrow().message())
                    .startsWith("no such command: " + script + " does not exist");
        }
    }

    private Path script(String permissions) throws IOException {
        Path script = Files.writeString(directory.resolve("script"), "#!/bin/sh\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void doesNotStartIfAProgramIsMissing() throws Exception {
        assertDoesNotStart(CommandSpec.of("task", "no-such-program"),
                "type 'task': no such command: no-such-program is not on the PATH");
        assertDoesNotStart(sh("true").test("no-such-test"), "type 'task': no such command: no-such-test is not");
        assertDoesNotStart(CommandSpec.of("task", "./script").directory(directory),
                "type 'task': no such command: " + directory.resolve("script") + " does not exist");
        Path script = script("rw-------");
        assertDoesNotStart(CommandSpec.of("task", "./script").directory(directory),
                "type 'task': cannot execute " + script + ": it is not executable");
        assertDoesNotStart(CommandSpec.of("task", directory.resolve("gone").toString()).worktree(repo.path(), "main"),
                "type 'task': no such command: " + directory.resolve("gone") + " does not exist");
    }

    private void assertDoesNotStart(CommandSpec command, String message) {
        assertThatThrownBy(() -> CommandFixture.open(home, command)).hasMessageStartingWith(message)
                .isInstanceOfSatisfying(LaunchException.class, e -> assertThat(e.kind().exitCode()).isEqualTo(3));
    }

    @Test
    void startsWithAProgramThatTheWorktreeBrings() throws Exception {
        CommandSpec command = CommandSpec.of("task", "./missing").worktree(repo.path(), "main");

        assertFailsPermanently(command, "no such command: ");
    }

    @Test
    void doesNotStartIfAToolIsMissing() {
        assertThatThrownBy(() -> CommandFixture.open(home, sh("true").tools("sh", "no-such-tool")))
                .isInstanceOfSatisfying(LaunchException.class, e -> assertThat(e.kind().exitCode()).isEqualTo(3))
                .hasMessageContaining("no-such-tool");
    }

    @Test
    void rejectsInvalidSpecsBeforeAnythingRuns() {
        assertThatThrownBy(() -> CommandSpec.of("task", "{{program}}"))
                .hasMessageContaining("must not come from the payload");
        assertThatThrownBy(() -> CommandSpec.of("task", List.of())).hasMessage("the command has no program to run");
        assertThatThrownBy(() -> sh("true").artifacts("../x"))
                .hasMessageContaining("is outside of the working directory");
    }

    @Test
    void startsNothingWhileMemoryIsShort() throws Exception {
        CommandSpec command = sh("true");
        CommandRuntime.Settings little = CommandFixture.settings(home);
        JobId id;
        try (CommandFixture node = CommandFixture
                .open(little.processes(little.processes().headroom(new Headroom(Long.MAX_VALUE, 0))), command)) {
            id = node.submit(command, "{}").id();
            Awaitility.await().atMost(CommandFixture.PATIENCE)
                    .until(() -> node.pool.stats().held().containsKey("task"));
            assertThat(node.pool.stats().held().get("task")).contains("of memory is free");
            assertThat(node.pool.admin().why(id).main()).isInstanceOfSatisfying(WaitReason.GateClosed.class,
                    closed -> assertThat(closed.gate()).isEqualTo("machine"));
            assertThat(node.pool.find(id).orElseThrow().state()).isEqualTo(JobState.QUEUED);
        }
        try (CommandFixture node = CommandFixture.open(home, command)) {
            assertThat(node.awaitEnd(id).state()).isEqualTo(JobState.COMPLETED);
            assertThat(node.pool.find(id).orElseThrow().counts().failures()).isZero();
        }
    }

    @Test
    void aSecondNodeNeedsItsOwnHome() {
        try (CommandFixture node = CommandFixture.open(home)) {
            assertThat(node.pool.admin().types()).isEmpty();
            assertThatThrownBy(() -> CommandRuntime.open(CommandFixture.settings(home), new MemoryStore()))
                    .hasMessage("another node uses the home " + home + "; give each node its own home");
        }
    }
}
