package dev.heddle.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

import dev.heddle.job.Attempt.End;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.RetryPolicy;
import dev.heddle.output.RunFiles;
import dev.heddle.pool.JobHandle;
import dev.heddle.process.Headroom;
import dev.heddle.process.LaunchException;
import dev.heddle.run.Run;
import dev.heddle.run.Run.Artifact;
import dev.heddle.store.MemoryStore;
import dev.heddle.testkit.ManualClock;
import dev.heddle.worktree.GitRepo;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CommandJobTest {

    @TempDir Path directory;
    private Path home;
    private GitRepo repo;

    @BeforeEach
    void create() throws Exception {
        directory = directory.toRealPath();
        home = directory.resolve(".heddle");
        repo = GitRepo.at(directory.resolve("app"), 3);
    }

    private static Command sh(String script) {
        return Command.of("task", "sh", "-c", script);
    }

    private Job run(Command command, String payload) throws Exception {
        try (Shop shop = Shop.open(home, command)) {
            return shop.run(command, payload);
        }
    }

    @Test
    void givesACommandItsPayloadAndTakesItsResult() throws Exception {
        Command command = Command.of("task", "sh", "-c",
                """
                        printf '{"argument": "%s", "stdin": %s, "file": %s, "job": "%s", "worker": "%s"}' \
                            "$1" "$(cat)" "$(cat "$HEDDLE_PAYLOAD_PATH")" "$HEDDLE_JOB_ID" "$HEDDLE_WORKER_ID" > "$HEDDLE_RESULT_PATH"
                        """,
                "sh", "{{name}}");
        Job job = run(command, "{\"name\": \"a b; $HOME\", \"n\": 1}");
        assertThat(job.state()).isEqualTo(JobState.COMPLETED);
        assertThat(job.result().orElseThrow()).contains("\"argument\":\"a b; $HOME\"")
                .contains("\"stdin\":{\"name\":\"a b; $HOME\",\"n\":1}")
                .contains("\"file\":{\"name\":\"a b; $HOME\",\"n\":1}")
                .contains("\"job\":\"" + job.id() + "\"")
                .contains("/default-");
    }

    @Test
    void completesWithoutAResultToo() throws Exception {
        Job job = run(sh("true"), "{}");
        assertThat(job.state()).isEqualTo(JobState.COMPLETED);
        assertThat(job.result()).isEmpty();
    }

    @Test
    void capturesOutputAndExitCodeOfEveryAttempt() throws Exception {
        Command command = sh("echo out of $HEDDLE_ATTEMPT; echo 'it broke' >&2; exit 7")
                .type(type -> type.retry(RetryPolicy.linear(1, Duration.ofMillis(1))));
        try (Shop shop = Shop.open(home, command)) {
            Job job = shop.run(command, "{}");
            assertThat(job.state()).isEqualTo(JobState.FAILED);
            assertThat(job.failure().orElseThrow().message()).isEqualTo("sh: exit 7: it broke");
            assertThat(job.failure().orElseThrow().category()).isEqualTo(FailureCategory.TRANSIENT);
            assertThat(job.failure().orElseThrow().failedStep()).isEqualTo("command");
            assertThat(shop.pool.runs().orElseThrow().runs(job.id())).extracting(Run::exitCode)
                    .containsExactly(7, 7);
            assertThat(shop.output(job.id(), 1).stdout()).isEqualTo("out of 1\n");
            assertThat(shop.output(job.id(), 2).stdout()).isEqualTo("out of 2\n");
            assertThat(shop.output(job.id(), 2).stderr()).isEqualTo("it broke\n");
            assertThat(new RunFiles(home, job.id(), 2).stdout()).hasContent("out of 2");
        }
    }

    @Test
    void doesNotTryAgainAfterAPermanentExit() throws Exception {
        Command command = sh("exit 2").type(type -> type.retry(RetryPolicy.linear(3, Duration.ofMillis(1))));
        assertThat(run(command, "{}").counts().attempt()).isEqualTo(1);
        Command chosen = sh("exit 9").permanentExits(9)
                .type(type -> type.retry(RetryPolicy.linear(3, Duration.ofMillis(1))));
        assertThat(run(chosen, "{}").counts().attempt()).isEqualTo(1);
    }

    @Test
    void buildsFirstAndTestsAfter() throws Exception {
        Command command = sh("cat built; echo command >> made").worktree(repo.path(), "main")
                .build("sh", "-c", "echo built > built").test("sh", "-c", "grep command made; cat made");
        try (Shop shop = Shop.open(home, command)) {
            Job job = shop.run(command, "{}");
            assertThat(job.state()).isEqualTo(JobState.COMPLETED);
            assertThat(shop.output(job.id(), 1).stdout()).isEqualTo("built\ncommand\ncommand\n");
        }
        Command broken = sh("touch " + directory.resolve("ran")).build("false");
        assertThat(run(broken, "{}").failure().orElseThrow().failedStep()).isEqualTo("build");
        assertThat(directory.resolve("ran")).doesNotExist();
        Command judged = sh("true").test("sh", "-c", "exit 4");
        assertThat(run(judged, "{}").failure().orElseThrow().message()).isEqualTo("sh: exit 4");
    }

    @Test
    void runsInAWorktreeOfItsOwnAndKeepsWhatItChanged() throws Exception {
        Command command = sh("""
                test "$PWD" = "$HEDDLE_WORKTREE_PATH" && git log -1 --format=%s && echo changed > README
                mkdir -p reports && echo ok > reports/a.xml && ln -s /etc/passwd reports/b.xml
                """).worktree(repo.path(), "{{branch}}").artifacts("reports/*").tools("git", "sh");
        try (Shop shop = Shop.open(home, command)) {
            Job job = shop.run(command, "{\"branch\": \"main\"}");
            assertThat(job.state()).as("%s", job.failure()).isEqualTo(JobState.COMPLETED);
            assertThat(shop.output(job.id(), 1).stdout()).isEqualTo("first\n");
            Run run = shop.lastRun(job.id());
            assertThat(run.artifacts()).containsExactly(new Artifact("reports/a.xml", 3));
            assertThat(new RunFiles(home, job.id(), 1).artifacts().resolve("reports/a.xml")).hasContent("ok");
            Run.Work work = Objects.requireNonNull(run.work());
            assertThat(repo.git("diff", "--name-only", work.base(), work.ref()).lines())
                    .contains("README", "reports/a.xml");
        }
        assertThat(repo.worktrees()).isEmpty();
    }

    @Test
    void endsWhatTakesTooLongAndKeepsItsWork() throws Exception {
        Duration timeout = Duration.ofMinutes(1);
        Command command = sh("echo half > README; echo began; sleep 1000").worktree(repo.path(), "main")
                .timeout(timeout);
        ManualClock clock = new ManualClock(Instant.now());
        try (Shop shop = Shop.open(Shop.settings(home), clock, command)) {
            JobHandle<JsonNode> handle = shop.submit(command, "{}");
            awaitOutput(handle.id(), "began");
            clock.advance(timeout);
            Job job = handle.end(Shop.PATIENCE);
            assertThat(shop.pool.story(job.id()).orElseThrow().attempts().getLast().end())
                    .isEqualTo(End.TIMED_OUT);
            assertThat(shop.lastRun(job.id()).exitCode()).isIn(143, 137);
            assertThat(shop.output(job.id(), 1).stdout()).isEqualTo("began\n");
            assertThat(repo.git("show", "refs/heddle/" + job.id() + "/1:README")).isEqualTo("half");
        }
        assertThat(repo.worktrees()).isEmpty();
    }

    @Test
    void keepsTheWorkOfACancelledJob() throws Exception {
        Command command = sh("echo half > README; echo began; sleep 1000").worktree(repo.path(), "main");
        try (Shop shop = Shop.open(home, command)) {
            JobId id = shop.submit(command, "{}").id();
            awaitOutput(id, "began");
            shop.pool.cancel(id, "not needed");
            Awaitility.await().atMost(Shop.PATIENCE).until(() -> shop.lastRun(id).exitCode() != null);
            assertThat(repo.git("show", "refs/heddle/" + id + "/1:README")).isEqualTo("half");
        }
        assertThat(repo.worktrees()).isEmpty();
    }

    private void awaitOutput(JobId id, String text) {
        Path stdout = new RunFiles(home, id, 1).stdout();
        Awaitility.await().atMost(Shop.PATIENCE).ignoreExceptions()
                .until(() -> Files.readString(stdout).contains(text));
    }

    @Test
    void goesBackToTheQueueWhenTheNodeCloses() throws Exception {
        Command command = sh("test $HEDDLE_ATTEMPT = 2 || { echo began; sleep 1000; }");
        JobId id;
        try (Shop shop = Shop.open(home, command)) {
            id = shop.submit(command, "{}").id();
            awaitOutput(id, "began");
        }
        try (Shop shop = Shop.open(home, command)) {
            Job job = shop.end(id);
            assertThat(job.state()).isEqualTo(JobState.COMPLETED);
            assertThat(job.counts().failures()).isZero();
            assertThat(shop.pool.story(id).orElseThrow().attempts().getFirst().end()).isEqualTo(End.RELEASED);
        }
    }

    @Test
    void deletesFilesAndRefsOfJobsThatAreGone() throws Exception {
        Command command = sh("echo changed > README; mkdir out; echo x > out/x").worktree(repo.path(), "main")
                .artifacts("out/**");
        try (Shop shop = Shop.open(home, command)) {
            Job job = shop.run(command, "{}");
            assertThat(repo.savedRefs()).hasSize(1);
            shop.workshop.tidy();
            assertThat(new RunFiles(home, job.id(), 1).directory()).exists();
            shop.pool.delete(job.id());
            shop.workshop.tidy();
            assertThat(repo.savedRefs()).isEmpty();
            assertThat(home.resolve("runs")).isEmptyDirectory();
            assertThat(home.resolve("artifacts")).isEmptyDirectory();
        }
    }

    @Test
    void saysInOneLineWhatIsWrong() throws Exception {
        Path script = Files.writeString(directory.resolve("script"), "#!/bin/sh\n");
        assertRefused(Command.of("task", "no-such-program"),
                "no such command: no-such-program is not on the PATH");
        assertRefused(Command.of("task", script.toString()),
                "cannot execute " + script + ": it is not executable");
        assertRefused(sh("true").directory(directory.resolve("missing")),
                "cannot run in " + directory.resolve("missing") + ": there is no such directory");
        assertRefused(sh("true").worktree(directory, "main"), directory + " is not a git repository");
        assertRefused(sh("true").worktree(repo.path(), "nowhere"), "no commit, branch or tag 'nowhere'");
        assertRefused(Command.of("task", "echo", "{{nam}}"), "the payload has no field 'nam'");
        assertRefused(sh("echo no json > $HEDDLE_RESULT_PATH"),
                "the result that the command wrote is no JSON");
    }

    private void assertRefused(Command command, String message) throws Exception {
        Job job = run(command, "{\"name\": 1}");
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.failure().orElseThrow().message()).startsWith(message);
        assertThat(job.failure().orElseThrow().category()).isEqualTo(FailureCategory.PERMANENT);
    }

    @Test
    void doesNotStartWithoutATool() {
        assertThatThrownBy(() -> Shop.open(home, sh("true").tools("sh", "no-such-tool")))
                .isInstanceOfSatisfying(LaunchException.class,
                        e -> assertThat(e.kind().exitCode()).isEqualTo(3))
                .hasMessageContaining("no-such-tool");
    }

    @Test
    void refusesWhatCannotBeMeantBeforeAnythingRuns() {
        assertThatThrownBy(() -> Command.of("task", "{{program}}"))
                .hasMessageContaining("must not come from the payload");
        assertThatThrownBy(() -> Command.of("task", List.of()))
                .hasMessage("the command has no program to run");
        assertThatThrownBy(() -> sh("true").artifacts("../x"))
                .hasMessageContaining("leads out of the working directory");
    }

    @Test
    void startsNothingWhileMemoryIsShort() throws Exception {
        Command command = sh("true");
        Workshop.Settings little = Shop.settings(home);
        JobId id;
        try (Shop shop = Shop.open(
                little.processes(little.processes().headroom(new Headroom(Long.MAX_VALUE, 0))), command)) {
            id = shop.submit(command, "{}").id();
            Awaitility.await().atMost(Shop.PATIENCE)
                    .until(() -> shop.pool.stats().held().containsKey("task"));
            assertThat(shop.pool.stats().held().get("task")).contains("of memory are free");
            assertThat(shop.pool.find(id).orElseThrow().state()).isEqualTo(JobState.QUEUED);
        }
        try (Shop shop = Shop.open(home, command)) {
            assertThat(shop.end(id).state()).isEqualTo(JobState.COMPLETED);
            assertThat(shop.pool.find(id).orElseThrow().counts().failures()).isZero();
        }
    }

    @Test
    void aSecondNodeNeedsAHomeOfItsOwn() {
        try (Shop shop = Shop.open(home)) {
            assertThat(shop.pool.types()).isEmpty();
            assertThatThrownBy(() -> Workshop.open(Shop.settings(home), new MemoryStore()))
                    .hasMessage(home + " is in use by another node; give each node a home of its own");
        }
    }
}
