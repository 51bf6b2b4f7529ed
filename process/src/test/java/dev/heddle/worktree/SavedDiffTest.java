package dev.heddle.worktree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.heddle.job.JobId;
import dev.heddle.worktree.SavedDiff.FileDiff;
import dev.heddle.worktree.SavedDiff.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SavedDiffTest {

    @TempDir
    Path directory;
    private GitRepo repo;
    private WorktreePool worktrees;
    private final JobId job = JobId.next();

    @BeforeEach
    void open() throws IOException {
        directory = directory.toRealPath();
        repo = GitRepo.at(directory.resolve("app"), 3);
        worktrees = WorktreePool.open(WorktreePool.Settings.in(directory.resolve("trees")));
    }

    @AfterEach
    void close() {
        worktrees.close();
    }

    private interface Work {
        void in(Path tree) throws IOException;
    }

    /** Lets a job do some work, and returns what it has changed. */
    private SavedDiff diff(Work work) throws IOException {
        Worktree tree = worktrees.acquire(repo.path(), "main", job, 1);
        work.in(tree.path());
        SavedWork saved = worktrees.release(tree).orElseThrow();
        return SavedDiff.read(saved.repository(), saved.base(), job, 1);
    }

    private static FileDiff file(SavedDiff diff, String path) {
        return diff.files().stream().filter(file -> file.path().equals(path)).findFirst().orElseThrow();
    }

    @Test
    void tellsWhatHappenedToEachFile() throws IOException {
        SavedDiff diff = diff(tree -> {
            Files.writeString(tree.resolve("README"), "hello\nworld\n");
            Files.writeString(tree.resolve("a file\nwith \"ü\".txt"), "new\n");
            Files.delete(tree.resolve("src/part0/file0.txt"));
            Files.move(tree.resolve("src/part0/file1.txt"), tree.resolve("moved.txt"));
            Files.delete(tree.resolve("src/part0/file2.txt"));
            Files.createSymbolicLink(tree.resolve("src/part0/file2.txt"), Path.of("elsewhere"));
            Files.write(tree.resolve("picture.png"), new byte[]{0, 1, 2, 0});
            Files.createFile(tree.resolve("empty"));
        });
        assertThat(diff.files()).extracting(FileDiff::path).containsExactlyInAnyOrder("README",
                "a file\nwith \"ü\".txt", "src/part0/file0.txt", "moved.txt", "src/part0/file2.txt", "picture.png",
                "empty");
        assertThat(file(diff, "README")).isEqualTo(new FileDiff("README", null, Status.MODIFIED, 1, 0, false,
                file(diff, "README").text(), false));
        assertThat(file(diff, "README").text()).startsWith("diff --git a/README b/README\n").endsWith("""
                --- a/README
                +++ b/README
                @@ -1 +1,2 @@
                 hello
                +world
                """);
        assertThat(file(diff, "a file\nwith \"ü\".txt").status()).isEqualTo(Status.ADDED);
        assertThat(file(diff, "a file\nwith \"ü\".txt").text()).endsWith("+new\n");
        assertThat(file(diff, "src/part0/file0.txt").status()).isEqualTo(Status.DELETED);
        assertThat(file(diff, "moved.txt")).isEqualTo(new FileDiff("moved.txt", "src/part0/file1.txt", Status.RENAMED,
                0, 0, false, file(diff, "moved.txt").text(), false));
        assertThat(file(diff, "src/part0/file2.txt").status()).isEqualTo(Status.TYPE_CHANGED);
        assertThat(file(diff, "src/part0/file2.txt").text()).contains("-line 2\n", "+elsewhere\n");
        assertThat(file(diff, "picture.png"))
                .isEqualTo(new FileDiff("picture.png", null, Status.ADDED, 0, 0, true, null, false));
        assertThat(file(diff, "empty").text()).contains("new file mode");
    }

    @Test
    void cutsWhatIsTooLarge() throws IOException {
        String line = "x".repeat(99) + "\n";
        SavedDiff diff = diff(tree -> {
            for (int i = 0; i < 12; i++) {
                Files.writeString(tree.resolve("large" + i), line.repeat(1_000));
            }
            Files.writeString(tree.resolve("z"), line.repeat(60_000));
        });
        FileDiff first = file(diff, "large0");
        assertThat(first.added()).isEqualTo(1_000);
        assertThat(first.cut()).isTrue();
        assertThat(first.text()).hasSizeBetween(SavedDiff.MOST_PER_FILE - 200, SavedDiff.MOST_PER_FILE)
                .endsWith("x\n");
        assertThat(diff.files().stream().mapToInt(file -> file.text() == null ? 0 : file.text().length()).sum())
                .isLessThanOrEqualTo(SavedDiff.MOST_IN_ALL);
        assertThat(file(diff, "z")).isEqualTo(new FileDiff("z", null, Status.ADDED, 60_000, 0, false, null, true));
        assertThat(diff.more()).isFalse();
    }

    @Test
    void readsManyFiles() throws IOException {
        SavedDiff diff = diff(tree -> {
            for (int i = 0; i < 1_500; i++) {
                Files.writeString(tree.resolve("file" + i), "diff --git a/x b/x\n" + i + "\n");
            }
        });
        assertThat(diff.files()).hasSize(1_500)
                .allSatisfy(file -> assertThat(file.text()).contains("+diff --git a/x b/x\n"));
    }

    @Test
    void sumsNothingUpFromOutputThatLacksItsEnd() {
        String raw = IntStream.range(0, 3).mapToObj(i -> ":000000 100644 0000 1111 A\0f" + i + "\0")
                .collect(Collectors.joining());
        assertThat(DiffOutput.parse(raw.substring(0, raw.length() - 1), "1\t0\tf0\0" + "2\t0\tf", "").files())
                .extracting(FileDiff::path).isEqualTo(Arrays.asList("f0"));
    }

    @Test
    void saysWhatIsGone() throws IOException {
        SavedDiff ignored = diff(tree -> Files.writeString(tree.resolve("README"), "changed\n"));
        assertThat(ignored.files()).hasSize(1);
        String base = repo.git("rev-parse", "HEAD");
        assertThatThrownBy(() -> SavedDiff.read(repo.path(), base, job, 2)).isInstanceOf(WorktreeException.class)
                .hasMessageContaining("refs/heddle/" + job + "/2");
        assertThatThrownBy(() -> SavedDiff.read(directory.resolve("gone"), base, job, 1))
                .hasMessageContaining("does not exist");
        assertThatThrownBy(() -> SavedDiff.read(repo.path(), "--output=x", job, 1))
                .hasMessageContaining("not the id of a commit");
    }
}
