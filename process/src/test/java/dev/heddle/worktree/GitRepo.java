package dev.heddle.worktree;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** A user's repository, used with the user's own git. */
public record GitRepo(Path path) {

    /** Creates a repository with one commit on the branch main: a README and this many more files. */
    public static GitRepo at(Path path, int files) {
        try {
            Files.createDirectories(path);
            GitRepo repo = new GitRepo(path);
            repo.git("init", "-q", "-b", "main");
            repo.git("config", "user.name", "Ann");
            repo.git("config", "user.email", "ann@example.org");
            Files.writeString(path.resolve("README"), "hello\n");
            Files.writeString(path.resolve(".gitignore"), "*.tmp\n");
            for (int i = 0; i < files; i++) {
                Path file = path.resolve("src/part" + i / 100 + "/file" + i + ".txt");
                Files.createDirectories(file.getParent());
                Files.writeString(file, "line " + i + "\n");
            }
            repo.commit("first");
            return repo;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String commit(String message) {
        git("add", "-A");
        git("commit", "-q", "-m", message);
        return git("rev-parse", "HEAD");
    }

    public void write(String file, String text) {
        try {
            Files.writeString(path.resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs git, which must succeed, and returns its output. */
    public String git(String... arguments) {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command).directory(path.toFile()).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            assertThat(process.waitFor()).as("%s: %s", command, output).isZero();
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Returns the worktrees that git knows, without the repository's own. */
    public List<String> worktrees() {
        return git("worktree", "list", "--porcelain").lines().filter(line -> line.startsWith("worktree "))
                .map(line -> line.substring("worktree ".length())).filter(line -> !line.equals(path.toString()))
                .toList();
    }

    public List<String> savedRefs() {
        return git("for-each-ref", "--format=%(refname)", "refs/heddle").lines().toList();
    }
}
