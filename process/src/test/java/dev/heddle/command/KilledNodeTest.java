package dev.heddle.command;

import java.nio.file.Files;
import java.nio.file.Path;

import dev.heddle.job.Attempt.End;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.output.RunFiles;
import dev.heddle.run.RunArchive;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.worktree.GitRepo;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A node is killed while a command runs: the next node recovers its changes, its output and its worktree. */
class KilledNodeTest {

    @TempDir
    Path directory;

    static CommandSpec command(Path repository) {
        return CommandSpec.of("task", "sh", "-c", """
                echo "by attempt $HEDDLE_ATTEMPT" > README; echo $$ > "$1/pid.$HEDDLE_ATTEMPT"; echo began
                test $HEDDLE_ATTEMPT -gt 1 || sleep 1000""", "sh", repository.resolveSibling("").toString())
                .worktree(repository, "main");
    }

    /** Submits one job, prints its id once its start is stored, and waits to be killed. */
    static final class Node {
        private Node() {}

        public static void main(String[] args) throws InterruptedException {
            CommandSpec command = command(Path.of(args[1]));
            CommandFixture next = CommandFixture.open(Path.of(args[0]), command);
            JobId id = next.submit(command, "{}").id();
            next.awaitState(id, JobState.RUNNING);
            System.out.println("job " + id);
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    @Test
    void losesNothingAndLeavesNothingBehind() throws Exception {
        Path root = directory.toRealPath();
        Path home = root.resolve(".heddle");
        GitRepo repo = GitRepo.at(root.resolve("app"), 3);
        JobId id;
        try (ChildJvm node = ChildJvm.start(Node.class, home.toString(), repo.path().toString())) {
            node.awaitLine(line -> line.startsWith("job "));
            id = JobId.of(node.lines().stream().filter(line -> line.startsWith("job ")).findFirst().orElseThrow()
                    .substring(4));
            Path stdout = new RunFiles(home, id, 1).stdout();
            Awaitility.await().atMost(CommandFixture.PATIENCE).ignoreExceptions()
                    .until(() -> Files.readString(stdout).equals("began\n"));
            node.kill();
        }
        try (CommandFixture next = CommandFixture.open(home, command(repo.path()))) {
            assertThat(next.runtime.processes().running()).hasSizeLessThanOrEqualTo(1);
            Job job = next.awaitEnd(id);
            assertThat(job.state()).isEqualTo(JobState.COMPLETED);
            assertThat(next.pool.admin().details(id).orElseThrow().attempts().getFirst().end())
                    .isEqualTo(End.NODE_DIED);
            assertThat(next.output(id, 1).stdout()).isEqualTo("began\n");
            assertThat(next.pool.admin().capability(RunArchive.class).orElseThrow().runs(id).getFirst().work())
                    .isNotNull();
            assertThat(repo.git("show", "refs/heddle/" + id + "/1:README")).isEqualTo("by attempt 1");
            assertThat(repo.git("show", "refs/heddle/" + id + "/2:README")).isEqualTo("by attempt 2");
        }
        assertThat(repo.worktrees()).isEmpty();
        assertThat(home.resolve("running")).isEmptyDirectory();
    }
}
