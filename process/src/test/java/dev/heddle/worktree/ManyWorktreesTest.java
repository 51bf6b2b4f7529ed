package dev.heddle.worktree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.heddle.job.JobId;
import dev.heddle.testkit.Torture;
import dev.heddle.worktree.WorktreePool.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Two independent pools acquire eight worktrees at a time of one repository, and some attempts break theirs. */
class ManyWorktreesTest {

    private static final int AT_ONCE = 8;

    @TempDir
    Path directory;

    @Test
    void noneFailsAndAllChangesAreSaved() throws Exception {
        int rounds = Torture.rounds(8, 100);
        Random seeds = Torture.random("ManyWorktreesTest");
        GitRepo repo = GitRepo.at(directory.toRealPath().resolve("app"), 50);
        List<String> expected = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
                WorktreePool one = WorktreePool.open(Settings.in(directory.toRealPath().resolve("trees")));
                WorktreePool two = WorktreePool.open(Settings.in(directory.toRealPath().resolve("trees")))) {
            for (int round = 0; round < rounds; round++) {
                List<Future<String>> attempts = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    Random random = new Random(seeds.nextLong());
                    WorktreePool worktrees = i % 2 == 0 ? one : two;
                    attempts.add(threads.submit(() -> attempt(repo, worktrees, random)));
                }
                for (Future<String> attempt : attempts) {
                    expected.add(attempt.get());
                }
            }
        }
        assertThat(repo.worktrees()).isEmpty();
        assertThat(repo.savedRefs()).containsExactlyInAnyOrderElementsOf(expected);
        for (String ref : expected) {
            assertThat(repo.git("show", ref + ":README")).isEqualTo("by " + ref);
        }
    }

    private static String attempt(GitRepo repo, WorktreePool worktrees, Random random) throws IOException {
        JobId job = JobId.next();
        Worktree tree = worktrees.acquire(repo.path(), "main", job, 1);
        String ref = "refs/heddle/" + job + "/1";
        assertThat(tree.path().resolve("README")).hasContent("hello");
        Files.writeString(tree.path().resolve("README"), "by " + ref + "\n");
        switch (random.nextInt(4)) {
            case 0 -> Files.createFile(Objects.requireNonNull(tree.metadata().gitDirectory()).resolve("index.lock"));
            case 1 -> Files.delete(tree.path().resolve(".git"));
            case 2 -> Files.writeString(tree.path().resolve("untracked"), "x");
            default -> new GitRepo(tree.path()).git("-c", "user.name=x", "-c", "user.email=x", "commit", "-qam", "x");
        }
        SavedWork saved = worktrees.release(tree).orElseThrow();
        assertThat(saved.ref()).isEqualTo(ref);
        return ref;
    }
}
