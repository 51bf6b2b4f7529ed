package dev.heddle.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.run.Run;
import dev.heddle.testkit.Torture;
import dev.heddle.worktree.GitRepo;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs many rounds of eight concurrent worktree jobs on one repository, and kills some of them. */
class ManyCommandsTest {

    private static final int AT_ONCE = 8;

    @TempDir
    Path directory;

    @Test
    void noneFailsAndAllChangesAreSaved() throws Exception {
        int rounds = Torture.rounds(6, 100);
        Random random = Torture.random("ManyCommandsTest");
        Path root = directory.toRealPath();
        GitRepo repo = GitRepo.at(root.resolve("app"), 50);
        CommandSpec command = CommandSpec.of("task", "sh", "-c",
                "echo \"$HEDDLE_JOB_ID\" > README; git status --short; touch \"$2/$HEDDLE_JOB_ID\"; test $1 = go || sleep 1000",
                "sh", "{{how}}", root.toString()).worktree(repo.path(), "main");
        Path home = root.resolve(".heddle");
        CommandRuntime.Settings settings = CommandFixture.settings(home);
        settings = settings.processes(settings.processes().grace(Duration.ofMillis(200)));
        try (CommandFixture node = CommandFixture.open(settings, command)) {
            for (int round = 0; round < rounds; round++) {
                List<JobId> going = new ArrayList<>();
                List<JobId> killed = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    boolean kill = random.nextInt(4) == 0;
                    (kill ? killed : going)
                            .add(node.submit(command, "{\"how\": \"" + (kill ? "wait" : "go") + "\"}").id());
                }
                for (JobId id : killed) {
                    Awaitility.await().atMost(CommandFixture.PATIENCE)
                            .until(() -> Files.exists(root.resolve(id.toString())));
                    node.pool.admin().cancel(id, "killed by the test");
                }
                for (JobId id : going) {
                    Job job = node.awaitEnd(id);
                    assertThat(job.state()).as("%s", job.failure()).isEqualTo(JobState.COMPLETED);
                    assertSaved(repo, node, id);
                }
                for (JobId id : killed) {
                    Awaitility.await().atMost(CommandFixture.PATIENCE).until(() -> node.lastRun(id).exitCode() != null);
                    assertSaved(repo, node, id);
                }
            }
        }
        assertThat(repo.worktrees()).isEmpty();
        assertThat(repo.savedRefs()).hasSize(rounds * AT_ONCE);
    }

    private static void assertSaved(GitRepo repo, CommandFixture node, JobId id) {
        Run.Work work = Objects.requireNonNull(node.lastRun(id).work(), () -> "nothing saved of " + id);
        assertThat(repo.git("show", work.ref() + ":README")).isEqualTo(id.toString());
    }
}
