package dev.heddle.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.process.Confinement;
import dev.heddle.process.Sandbox;
import dev.heddle.run.Run;
import dev.heddle.worktree.GitRepo;
import dev.heddle.worktree.WorktreePool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

/** What a job in a sandbox, or of another user, can and cannot reach. */
class ConfinedCommandTest {

    @TempDir
    private Path directory;
    private Path home;
    private GitRepo repo;

    @BeforeEach
    void create() throws IOException {
        assumeThat(System.getProperty("os.name")).isEqualTo("Linux");
        directory = directory.toRealPath();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        home = Files.createDirectory(directory.resolve(".heddle"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(home.resolve("token"), "admin");
        repo = GitRepo.at(directory.resolve("app"), 1);
    }

    private static CommandSpec sh(String script) {
        return CommandSpec.of("confined", "sh", "-c", "exec 2>&1; " + script);
    }

    private CommandRuntime.Settings settings(Path worktrees) throws IOException {
        return CommandFixture.settings(home).worktrees(WorktreePool.Settings.in(worktrees))
                .config(Files.writeString(directory.resolve("heddle.yaml"), "server: {token: admin}"));
    }

    @Test
    void aSandboxedJobWorksInItsWorktreeAndCannotReachTheNode() throws Exception {
        CommandSpec command = sh("""
                cat '%1$s/.heddle/token' '%1$s/heddle.yaml'; ls '%1$s/.heddle'
                echo x >> '%1$s/app/.git/config' || echo config is safe
                echo x > '%1$s/app/.git/hooks/post-checkout' || echo hooks are safe
                echo x > '%1$s/app/README'
                echo changed > README && git -c user.name=x -c user.email=x commit -qam "by the job" && echo committed
                echo more > more; cat "$HEDDLE_PAYLOAD_PATH"; echo; cat > "$HEDDLE_RESULT_PATH"
                """.formatted(directory)).worktree(repo.path(), "main")
                .workspace(spec -> spec.sandbox(Sandbox.standard().network(false)));
        try (CommandFixture node = CommandFixture.open(settings(home.resolve("worktrees")), command)) {
            Job job = node.run(command, "{\"a\":1}");
            String output = node.output(job.id(), 1).stdout();
            assertThat(job.state()).as("%s %s", output, job.failure()).isEqualTo(JobState.COMPLETED);
            assertThat(output).doesNotContain("admin").contains("config is safe", "hooks are safe",
                    "committed\n{\"a\":1}\n").contains("\nworktrees\n");
            assertThat(job.result().orElseThrow().toString()).isEqualTo("{\"a\":1}");
            Run.Work work = Objects.requireNonNull(node.lastRun(job.id()).work());
            assertThat(repo.git("diff", "--name-only", work.base(), work.ref()).lines()).contains("README", "more");
            assertThat(repo.path().resolve("README")).hasContent("hello");
        }
    }

    @Test
    void aJobOfAnotherUserWorksInItsWorktreeAndCannotReachTheNode() throws Exception {
        assumeThat(Confinement.userProblem()).isEmpty();
        CommandSpec command = sh(
                """
                        id -un; cat '%1$s/.heddle/token'; echo x >> '%1$s/app/README'; test -w "$TMPDIR" && git log -1 --format=%%s
                        cat "/proc/$PPID/environ"; grep NoNewPrivs /proc/self/status
                        echo changed > README; git status --short; cat "$HEDDLE_PAYLOAD_PATH" > "$HEDDLE_RESULT_PATH"
                        """
                        .formatted(directory))
                .worktree(repo.path(), "main").workspace(spec -> spec.runAs("nobody"));
        try (CommandFixture node = CommandFixture.open(settings(directory.resolve("trees")), command)) {
            Job job = node.run(command, "{\"a\":1}");
            String output = node.output(job.id(), 1).stdout();
            assertThat(job.state()).as("%s %s", output, job.failure()).isEqualTo(JobState.COMPLETED);
            assertThat(output).startsWith("nobody\n").doesNotContain("admin").contains("first\n", " M README")
                    .containsPattern("NoNewPrivs:\\s+1");
            assertThat(job.result().orElseThrow().toString()).isEqualTo("{\"a\":1}");
            Run.Work work = Objects.requireNonNull(node.lastRun(job.id()).work());
            assertThat(repo.git("diff", "--name-only", work.base(), work.ref())).isEqualTo("README");
            assertThat(repo.path().resolve("README")).hasContent("hello");
            Job again = node.run(command, "{\"a\":2}");
            assertThat(again.state()).as("in a spare worktree: %s", again.failure()).isEqualTo(JobState.COMPLETED);
        }
    }

    @Test
    void saysSoIfAnotherUserCannotReachItsDirectory() throws Exception {
        assumeThat(Confinement.userProblem()).isEmpty();
        CommandSpec command = sh("true").worktree(repo.path(), "main").workspace(spec -> spec.runAs("nobody"));
        try (CommandFixture node = CommandFixture.open(settings(home.resolve("worktrees")), command)) {
            assertThat(node.run(command, "{}").failure().orElseThrow().message())
                    .contains("user 'nobody' cannot enter " + home, "worktree.baseDir");
        }
    }

    @Test
    void aNodeDoesNotStartWithAUserWhoDoesNotExist() {
        CommandSpec command = sh("true").workspace(spec -> spec.runAs("no-such-user"));
        assertThatThrownBy(() -> CommandFixture.open(home, command))
                .hasMessageContaining("cannot run as user 'no-such-user'");
    }
}
