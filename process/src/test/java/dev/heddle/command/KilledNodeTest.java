package dev.heddle.command;

import java.nio.file.Files;
import java.nio.file.Path;

import dev.heddle.job.Attempt.End;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.output.RunFiles;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.worktree.GitRepo;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A node is killed in the middle of a command: its work, its output and its worktree are found by the next one. */
class KilledNodeTest {

    @TempDir Path directory;

    static Command command(Path repository) {
        return Command.of("task", "sh", "-c", """
                echo "by attempt $HEDDLE_ATTEMPT" > README; echo $$ > "$1/pid.$HEDDLE_ATTEMPT"; echo began
                test $HEDDLE_ATTEMPT -gt 1 || sleep 1000""", "sh", repository.resolveSibling("").toString())
                .worktree(repository, "main");
    }

    /** The node: submits one job, says so once its start is written, and waits to be killed. */
    static final class Node {
        private Node() {}

        public static void main(String[] args) throws InterruptedException {
            Command command = command(Path.of(args[1]));
            Shop shop = Shop.open(Path.of(args[0]), command);
            JobId id = shop.submit(command, "{}").id();
            shop.awaitState(id, JobState.RUNNING);
            System.out.println("job " + id);
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    @Test
    void nothingIsLostAndNothingIsLeft() throws Exception {
        Path root = directory.toRealPath();
        Path home = root.resolve(".heddle");
        GitRepo repo = GitRepo.at(root.resolve("app"), 3);
        JobId id;
        try (ChildJvm node = ChildJvm.start(Node.class, home.toString(), repo.path().toString())) {
            node.awaitLine(line -> line.startsWith("job "));
            id = JobId.of(
                    node.lines().stream().filter(line -> line.startsWith("job ")).findFirst().orElseThrow()
                            .substring(4));
            Path stdout = new RunFiles(home, id, 1).stdout();
            Awaitility.await().atMost(Shop.PATIENCE).ignoreExceptions()
                    .until(() -> Files.readString(stdout).equals("began\n"));
            node.kill();
        }
        try (Shop shop = Shop.open(home, command(repo.path()))) {
            assertThat(shop.workshop.processes().running()).hasSizeLessThanOrEqualTo(1);
            Job job = shop.end(id);
            assertThat(job.state()).isEqualTo(JobState.COMPLETED);
            assertThat(shop.pool.story(id).orElseThrow().attempts().getFirst().end()).isEqualTo(End.CRASHED);
            assertThat(shop.output(id, 1).stdout()).isEqualTo("began\n");
            assertThat(shop.pool.runs().orElseThrow().runs(id).getFirst().work()).isNotNull();
            assertThat(repo.git("show", "refs/heddle/" + id + "/1:README")).isEqualTo("by attempt 1");
            assertThat(repo.git("show", "refs/heddle/" + id + "/2:README")).isEqualTo("by attempt 2");
        }
        assertThat(repo.worktrees()).isEmpty();
        assertThat(home.resolve("running")).isEmptyDirectory();
    }
}
