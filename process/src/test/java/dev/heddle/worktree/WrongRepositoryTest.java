package dev.heddle.worktree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.heddle.job.JobId;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.worktree.Worktrees.Settings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** One clear message for whatever is wrong, and nothing left behind. */
class WrongRepositoryTest {

    @TempDir Path directory;
    private GitRepo repo;

    @BeforeEach
    void make() throws IOException {
        directory = directory.toRealPath();
        repo = GitRepo.at(directory.resolve("app"), 3);
    }

    private void assertRefused(Path repository, String ref, String message) throws IOException {
        try (Worktrees worktrees = Worktrees.open(Settings.in(directory.resolve("trees")))) {
            assertThatThrownBy(() -> worktrees.take(repository, ref, JobId.next(), 1))
                    .isInstanceOfSatisfying(WorktreeException.class,
                            e -> assertThat(e.kind()).isEqualTo(WorktreeException.Kind.WRONG))
                    .hasMessage(message);
        }
        assertThat(repo.worktrees()).isEmpty();
    }

    @Test
    void saysThatADirectoryIsMissing() throws IOException {
        Path missing = directory.resolve("missing");
        assertRefused(missing, "main", missing + " does not exist; give the directory of a git repository");
    }

    @Test
    void saysThatADirectoryIsAFile() throws IOException {
        Path file = repo.path().resolve("README");
        assertRefused(file, "main", file + " is not a directory, and so not a git repository");
    }

    @Test
    void saysThatADirectoryIsNoRepository() throws IOException {
        Path plain = Files.createDirectories(directory.resolve("plain"));
        assertRefused(plain, "main",
                plain + " is not a git repository; 'git init' makes one, or give another directory");
    }

    @Test
    void saysThatARefIsUnknown() throws IOException {
        assertRefused(repo.path(), "nowhere", "no commit, branch or tag 'nowhere' in " + repo.path()
                + "; 'git -C " + repo.path() + " branch -a' lists what there is");
        assertRefused(repo.path(), "--upload-pack=evil", "'--upload-pack=evil' cannot be a ref");
    }

    @Test
    void saysThatARepositoryIsEmpty() throws IOException {
        Path empty = Files.createDirectories(directory.resolve("empty"));
        new GitRepo(empty).git("init", "-q");
        assertRefused(empty, "HEAD", empty + " has no commit yet; there is nothing to check out");
    }

    @Test
    void seesWhatIsNotCommitted() {
        assertThat(Repository.at(repo.path()).hasUncommittedChanges()).isFalse();
        repo.write("README", "changed\n");
        assertThat(Repository.at(repo.path()).hasUncommittedChanges()).isTrue();
    }

    @Test
    void saysThatTheDiskIsFull() throws IOException {
        Path disk = Files.createDirectories(directory.resolve("disk"));
        repo.write("large", "0123456789abcde\n".repeat(200_000));
        repo.commit("large");
        // A disk of 1 MB, which only the child sees.
        try (ChildJvm child = ChildJvm.startIn(
                List.of("unshare", "-rm", "sh", "-c",
                        "mount -t tmpfs -o size=1m tmpfs " + disk + " && exec \"$@\"", "sh"),
                TakeOne.class, disk.toString(), repo.path().toString())) {
            child.awaitLine(line -> line.equals("refused: cannot make a worktree of " + repo.path()
                    + ": the disk of " + disk + " is full, or cannot be written; make room and try again"));
            child.awaitLine(line -> line.equals("left: 0"));
        }
        assertThat(repo.worktrees()).isEmpty();
    }

    /** Takes a worktree and says what came of it. */
    static final class TakeOne {
        private TakeOne() {}

        public static void main(String[] args) throws IOException {
            Path disk = Path.of(args[0]);
            try (Worktrees worktrees = Worktrees.open(Settings.in(disk))) {
                worktrees.take(Path.of(args[1]), "main", JobId.next(), 1);
                System.out.println("made");
            } catch (WorktreeException e) {
                System.out.println("refused: " + e.getMessage());
            }
            try (var files = Files.walk(disk)) {
                System.out.println("left: "
                        + files.filter(path -> path.getFileName().toString().startsWith("wt-")).count());
            }
        }
    }
}
