package dev.heddle.worktree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import dev.heddle.job.JobId;
import dev.heddle.worktree.WorktreePool.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WorktreePoolTest {

    @TempDir
    Path directory;
    private GitRepo repo;
    private WorktreePool worktrees;
    private final JobId job = JobId.next();

    @BeforeEach
    void open() throws IOException {
        directory = directory.toRealPath();
        repo = GitRepo.at(directory.resolve("app"), 3);
        worktrees = WorktreePool.open(Settings.in(directory.resolve("trees")));
    }

    @AfterEach
    void close() {
        worktrees.close();
    }

    private Worktree acquire() {
        return worktrees.acquire(repo.path(), "main", job, 1);
    }

    private void sweep() {
        worktrees.sweep((_, _) -> false, (_, _) -> {});
    }

    private static Path gitDirectory(Worktree tree) {
        return Objects.requireNonNull(tree.metadata().gitDirectory());
    }

    private static void write(Worktree tree, String file, String text) throws IOException {
        Files.writeString(tree.path().resolve(file), text);
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("trees"))) {
            return files.filter(path -> path.getFileName().toString().startsWith("wt-")).toList();
        }
    }

    @Test
    void givesEachAttemptItsOwnCheckout() throws IOException {
        Worktree first = acquire();
        Worktree second = worktrees.acquire(repo.path(), "main", JobId.next(), 1);
        assertThat(first.path()).isNotEqualTo(second.path());
        assertThat(first.path().resolve("README")).hasContent("hello");
        assertThat(new GitRepo(first.path()).git("status", "--porcelain", "--branch")).isEqualTo("## HEAD (no branch)");
        assertThat(WorktreeMetadata.read(WorktreeMetadata.file(first.path()))).hasValue(first.metadata());
        assertThat(repo.worktrees()).containsExactlyInAnyOrder(first.path().toString(), second.path().toString());
        worktrees.release(first);
        worktrees.release(second);
    }

    @Test
    void sweepsWhatKilledProcessesLeft() throws IOException {
        Path locks = directory.resolve("trees/keepers");
        String dead = "6c0a1f04-8f7c-4b0e-9d57-2b8cbd2d0c11";
        Files.createFile(locks.resolve(dead + ".lock"));
        Worktree tree = acquire();
        Path draft = tree.path().resolveSibling("wt-1.json." + dead + ".new");
        Path own = tree.path().resolveSibling("wt-2.json." + tree.metadata().lockId() + ".new");
        Files.createFile(draft);
        Files.createFile(own);
        sweep();

        assertThat(draft).doesNotExist();
        assertThat(own).as("this process may be writing it").exists();
        try (Stream<Path> left = Files.list(locks)) {
            assertThat(left).containsExactlyInAnyOrder(locks.resolve(tree.metadata().lockId() + ".lock"),
                    locks.resolve("sweep.lock"));
        }
        Files.delete(own);
        worktrees.release(tree);
    }

    @Test
    void savesChangesUnderARefPerAttempt() throws IOException {
        Worktree tree = acquire();
        write(tree, "README", "changed\n");
        write(tree, "new file", "new\n");
        write(tree, "ignored.tmp", "not kept\n");
        Files.delete(tree.path().resolve("src/part0/file0.txt"));
        SavedWork saved = worktrees.release(tree).orElseThrow();
        assertThat(saved.ref()).isEqualTo("refs/heddle/" + job + "/1");
        assertThat(saved.repository()).isEqualTo(repo.path());
        assertThat(repo.git("diff", "--name-status", saved.base(), saved.ref()).lines()).containsExactly("M\tREADME",
                "A\tnew file", "D\tsrc/part0/file0.txt");
        worktrees.close();
        repo.git("gc", "-q", "--prune=now");
        assertThat(repo.git("show", saved.ref() + ":README")).isEqualTo("changed");
    }

    @Test
    void savesCommitsThatAreOnNoBranch() throws IOException {
        Worktree tree = acquire();
        write(tree, "README", "committed\n");
        String commit = new GitRepo(tree.path()).commit("by the job");
        assertThat(worktrees.release(tree).orElseThrow().commit()).isEqualTo(commit);
    }

    @Test
    void savesNothingIfNothingChanged() {
        assertThat(worktrees.release(acquire())).isEmpty();
        assertThat(repo.savedRefs()).isEmpty();
    }

    @Test
    void doesNotChangeTheUsersRepository() throws IOException {
        Path hooks = Files.createDirectories(repo.path().resolve(".git/hooks"));
        for (String hook : List.of("post-checkout", "pre-commit", "reference-transaction")) {
            Files.writeString(hooks.resolve(hook), "#!/bin/sh\ntouch " + directory.resolve("hooked") + "\n");
            assertThat(hooks.resolve(hook).toFile().setExecutable(true)).isTrue();
        }
        repo.write("README", "not committed\n");
        byte[] index = Files.readAllBytes(repo.path().resolve(".git/index"));
        byte[] config = Files.readAllBytes(repo.path().resolve(".git/config"));
        Worktree tree = acquire();
        assertThat(tree.path().resolve("README")).hasContent("hello");
        write(tree, "README", "by the job\n");
        worktrees.release(tree);
        worktrees.close();
        assertThat(repo.path().resolve("README")).hasContent("not committed");
        assertThat(repo.path().resolve(".git/index")).hasBinaryContent(index);
        assertThat(repo.path().resolve(".git/config")).hasBinaryContent(config);
        assertThat(directory.resolve("hooked")).doesNotExist();
        assertThat(repo.worktrees()).isEmpty();
    }

    @Test
    void reusesAWorktreeAtAnotherCommit() throws IOException {
        Worktree first = acquire();
        write(first, "README", "changed\n");
        write(first, "ignored.tmp", "left\n");
        new GitRepo(first.path()).git("checkout", "-q", "-b", "topic");
        worktrees.release(first);
        String second = commit("second");
        Worktree again = worktrees.acquire(repo.path(), "main", job, 2);
        assertThat(again.path()).isEqualTo(first.path());
        assertThat(again.commit()).isEqualTo(second);
        assertThat(new GitRepo(again.path()).git("status", "--porcelain", "--ignored")).isEmpty();
        assertThat(again.path().resolve("README")).hasContent("second");
        assertThat(WorktreeMetadata.read(WorktreeMetadata.file(again.path())).orElseThrow().attempt()).isEqualTo(2);
    }

    @Test
    void cleansAWorktreeOnRelease() throws IOException {
        Worktree first = acquire();
        write(first, "README", "changed\n");
        write(first, "ignored.tmp", "left\n");
        new GitRepo(first.path()).git("checkout", "-q", "-b", "topic");
        worktrees.release(first);
        Worktree again = acquire();
        assertThat(again.path()).isEqualTo(first.path());
        assertThat(new GitRepo(again.path()).git("status", "--porcelain", "--ignored")).isEmpty();
        assertThat(new GitRepo(again.path()).git("branch", "--show-current")).isEmpty();
        assertThat(again.path().resolve("README")).hasContent("hello");
    }

    private String commit(String text) {
        repo.write("README", text + "\n");
        return repo.commit(text);
    }

    @Test
    void doesNotReuseAWorktreeWithAnUnfinishedOperation() throws IOException {
        Worktree tree = acquire();
        Path own = gitDirectory(tree);
        Files.createDirectories(own.resolve("rebase-merge"));
        worktrees.release(tree);
        Worktree next = acquire();
        assertThat(next.path()).isNotEqualTo(tree.path());
        assertThat(tree.path()).doesNotExist();
        Files.createFile(gitDirectory(next).resolve("index.lock"));
        worktrees.release(next);
        assertThat(repo.worktrees()).isEmpty();
    }

    @Test
    void isNotFooledByAJobThatDeletesItsGitLink() throws IOException {
        worktrees.close();
        // This is the default layout: the worktree is within the repository.
        worktrees = WorktreePool.open(Settings.in(repo.path().resolve(".heddle/worktrees")));
        Worktree tree = acquire();
        Files.delete(tree.path().resolve(".git"));
        write(tree, "README", "changed\n");
        repo.write("README", "of the user\n");
        assertThat(worktrees.release(tree)).isPresent();
        assertThat(repo.path().resolve("README")).hasContent("of the user");
        assertThat(repo.git("branch", "--show-current")).isEqualTo("main");
        Worktree again = acquire();
        assertThat(again.path()).isEqualTo(tree.path());
        assertThat(new GitRepo(again.path()).git("rev-parse", "--show-toplevel")).isEqualTo(again.path().toString());
    }

    @Test
    void replacesABrokenSpare() throws IOException {
        Worktree first = acquire();
        worktrees.release(first);
        WorktreeGit.delete(first.path());
        Files.createDirectories(first.path());
        Files.writeString(first.path().resolve("someone's"), "x");
        WorktreeGit.delete(gitDirectory(first));
        Worktree second = acquire();
        assertThat(second.path()).isNotEqualTo(first.path());
        assertThat(second.path().resolve("README")).hasContent("hello");
    }

    @Test
    void keepsWorktreesIfConfigured() throws IOException {
        worktrees.close();
        Settings keeping = new Settings(directory.resolve("trees"), true, true, 4, false);
        worktrees = WorktreePool.open(keeping);
        Worktree tree = acquire();
        write(tree, "ignored.tmp", "to be looked at\n");
        worktrees.release(tree);
        worktrees.close();
        worktrees = WorktreePool.open(Settings.in(directory.resolve("trees")));
        sweep();
        assertThat(tree.path().resolve("ignored.tmp")).hasContent("to be looked at");
        repo.git("worktree", "remove", "--force", tree.path().toString());
        sweep();
        assertThat(left()).isEmpty();
    }

    @Test
    void removesEverythingOnClose() throws IOException {
        worktrees.release(acquire());
        assertThat(left()).hasSize(2);
        worktrees.close();
        assertThat(left()).isEmpty();
        assertThat(repo.worktrees()).isEmpty();
    }

    @Test
    void leavesSparesToTheNextPoolIfConfigured() {
        worktrees.close();
        Settings leaving = new Settings(directory.resolve("trees"), false, false, 4, false);
        worktrees = WorktreePool.open(leaving);
        Worktree tree = acquire();
        worktrees.release(tree);
        worktrees.close();
        worktrees = WorktreePool.open(leaving);
        sweep();
        assertThat(acquire().path()).isEqualTo(tree.path());
    }

    @Test
    void savesAndReusesWhatADeadPoolLeft() throws IOException {
        Worktree orphan = acquire();
        write(orphan, "README", "half done\n");
        List<String> saved = new ArrayList<>();
        try (WorktreePool next = WorktreePool.open(Settings.in(directory.resolve("trees")))) {
            next.sweep((_, _) -> false,
                    (metadata, work) -> saved.add(metadata.job() + "/" + metadata.attempt() + " " + work.ref()));
            assertThat(saved).as("its pool is open").isEmpty();
            worktrees.close();
            next.sweep((path, _) -> path.equals(orphan.path()), (metadata, work) -> saved.add(work.ref()));
            assertThat(saved).as("a process is working in it").isEmpty();
            next.sweep((_, _) -> false,
                    (metadata, work) -> saved.add(metadata.job() + "/" + metadata.attempt() + " " + work.ref()));
            assertThat(saved).containsExactly(job + "/1 refs/heddle/" + job + "/1");
            assertThat(next.acquire(repo.path(), "main", job, 2).path()).isEqualTo(orphan.path());
        }
        assertThat(repo.git("show", "refs/heddle/" + job + "/1:README")).isEqualTo("half done");
    }

    @Test
    void doesNotTouchDirectoriesWithoutMetadata() throws IOException {
        Path base = directory.resolve("trees");
        repo.git("worktree", "add", "-q", "--detach", base.resolve("app-0/mine").toString());
        Path note = Files.writeString(base.resolve("app-0/notes.json"), "{\"a\": 1}");
        Path plain = Files.createDirectories(base.resolve("app-0/wt-plain"));
        sweep();
        assertThat(base.resolve("app-0/mine/README")).exists();
        assertThat(note).exists();
        assertThat(plain).exists();
    }

    @Test
    void cleansUpAWorktreeWhoseCreationCrashed() throws IOException {
        Path half = directory.resolve("trees/app-0/wt-half");
        Files.createDirectories(half);
        new WorktreeMetadata(repo.path().resolve(".git"), null, "gone", "0", job, 1, false).write(half);
        sweep();
        assertThat(left()).isEmpty();
    }

    @Test
    void keepsAWorktreeWhoseRepositoryIsGone() throws IOException {
        Worktree tree = acquire();
        WorktreeGit.delete(repo.path());
        worktrees.close();
        worktrees = WorktreePool.open(Settings.in(directory.resolve("trees")));
        sweep();
        // Changes that cannot be saved must not be deleted.
        assertThat(tree.path()).exists();
        assertThat(WorktreeMetadata.read(WorktreeMetadata.file(tree.path())).orElseThrow().kept()).isTrue();
    }

    @Test
    void deletesSavedChanges() throws IOException {
        Worktree tree = acquire();
        write(tree, "README", "changed\n");
        SavedWork saved = worktrees.release(tree).orElseThrow();
        WorktreePool.deleteSaved(saved.repository(), saved.ref());
        assertThat(repo.savedRefs()).isEmpty();
        WorktreePool.deleteSaved(directory.resolve("gone"), saved.ref());
        assertThatThrownBy(() -> WorktreePool.deleteSaved(repo.path(), "refs/heads/main"))
                .hasMessage("not a ref below refs/heddle/: refs/heads/main");
    }

    @Test
    void worksWithABareRepository() {
        repo.git("clone", "-q", "--bare", ".", directory.resolve("bare.git").toString());
        Worktree tree = worktrees.acquire(directory.resolve("bare.git"), "main", job, 1);
        assertThat(tree.path().resolve("README")).hasContent("hello");
        assertThat(worktrees.release(tree)).isEqualTo(Optional.empty());
    }
}
