package dev.heddle.worktree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.heddle.job.JobId;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.worktree.WorktreePool.Settings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Every problem with a repository results in one clear message and leaves nothing behind. */
class WrongRepositoryTest {

    @TempDir
    Path directory;
    private GitRepo repo;

    @BeforeEach
    void create() throws IOException {
        directory = directory.toRealPath();
        repo = GitRepo.at(directory.resolve("app"), 3);
    }

    private void assertRejected(Path repository, String ref, String message) throws IOException {
        try (WorktreePool worktrees = WorktreePool.open(Settings.in(directory.resolve("trees")))) {
            assertThatThrownBy(() -> worktrees.acquire(repository, ref, JobId.next(), 1))
                    .isInstanceOfSatisfying(WorktreeException.class,
                            e -> assertThat(e.kind()).isEqualTo(WorktreeException.Kind.INVALID))
                    .hasMessage(message);
        }
        assertThat(repo.worktrees()).isEmpty();
    }

    @Test
    void reportsAMissingDirectory() throws IOException {
        Path missing = directory.resolve("missing");
        assertRejected(missing, "main", missing + " does not exist; give the directory of a git repository");
    }

    @Test
    void reportsAFileInsteadOfADirectory() throws IOException {
        Path file = repo.path().resolve("README");
        assertRejected(file, "main", file + " is not a directory; give the directory of a git repository");
    }

    @Test
    void reportsADirectoryThatIsNotARepository() throws IOException {
        Path plain = Files.createDirectories(directory.resolve("plain"));
        assertRejected(plain, "main",
                plain + " is not a git repository; create one with 'git init' or give another directory");
    }

    @Test
    void reportsAnUnknownRef() throws IOException {
        assertRejected(repo.path(), "nowhere", "no commit, branch or tag 'nowhere' in " + repo.path()
                + "; list the branches with 'git -C " + repo.path() + " branch -a'");
        assertRejected(repo.path(), "--upload-pack=evil",
                "'--upload-pack=evil' is not a valid git ref; give a branch, a tag or a commit");
    }

    @Test
    void reportsAnEmptyRepository() throws IOException {
        Path empty = Files.createDirectories(directory.resolve("empty"));
        new GitRepo(empty).git("init", "-q");
        assertRejected(empty, "HEAD", empty + " has no commit to check out yet; make a first commit");
    }

    @Test
    void detectsUncommittedChanges() {
        assertThat(Repository.at(Git.UNTRUSTED, repo.path()).hasUncommittedChanges()).isFalse();
        repo.write("README", "changed\n");
        assertThat(Repository.at(Git.UNTRUSTED, repo.path()).hasUncommittedChanges()).isTrue();
    }

    @Test
    void reportsAFullDisk() throws IOException {
        Path disk = Files.createDirectories(directory.resolve("disk"));
        repo.write("large", "0123456789abcde\n".repeat(200_000));
        repo.commit("large");
        // A disk of 1 MB that only the child process sees.
        try (ChildJvm child = ChildJvm
                .startIn(
                        List.of("unshare", "-rm", "sh", "-c",
                                "mount -t tmpfs -o size=1m tmpfs " + disk + " && exec \"$@\"", "sh"),
                        AcquireOne.class, disk.toString(), repo.path().toString())) {
            child.awaitLine(line -> line.equals("rejected: cannot create a worktree of " + repo.path()
                    + ": the disk of " + disk + " is full or not writable; free some space and try again"));
            child.awaitLine(line -> line.equals("left: 0"));
        }
        assertThat(repo.worktrees()).isEmpty();
    }

    /** Acquires a worktree and prints the result. */
    static final class AcquireOne {
        private AcquireOne() {}

        public static void main(String[] args) throws IOException {
            Path disk = Path.of(args[0]);
            try (WorktreePool worktrees = WorktreePool.open(Settings.in(disk))) {
                worktrees.acquire(Path.of(args[1]), "main", JobId.next(), 1);
                System.out.println("created");
            } catch (WorktreeException e) {
                System.out.println("rejected: " + e.getMessage());
            }
            try (var files = Files.walk(disk)) {
                System.out.println(
                        "left: " + files.filter(path -> path.getFileName().toString().startsWith("wt-")).count());
            }
        }
    }
}
