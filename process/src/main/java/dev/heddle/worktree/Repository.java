package dev.heddle.worktree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

import dev.heddle.worktree.WorktreeException.Kind;

/**
 * A repository that worktrees are made of.
 *
 * @param path as it was given
 * @param gitDirectory the one that all its worktrees share; also what it is known by, however it was called
 */
record Repository(Path path, Path gitDirectory) {

    /** The repository that the directory belongs to; says what is wrong where it belongs to none. */
    static Repository at(Path path) {
        if (!Files.isDirectory(path)) {
            throw new WorktreeException(Kind.WRONG,
                    Files.exists(path) ? path + " is not a directory, and so not a git repository"
                            : path + " does not exist; give the directory of a git repository");
        }
        Git.Result found = Git.run(path, "rev-parse", "--path-format=absolute", "--git-common-dir");
        if (!found.ok()) {
            throw found.mentions("not a git repository")
                    ? new WorktreeException(Kind.WRONG,
                            path + " is not a git repository; 'git init' makes one, or give another directory")
                    : new WorktreeException(Kind.WRONG,
                            path + " cannot be used as a git repository: " + found.complaint());
        }
        try {
            return new Repository(path, Path.of(found.line()).toRealPath());
        } catch (IOException e) {
            throw new WorktreeException(Kind.TROUBLE, "cannot look into " + found.line() + ": " + e, e);
        }
    }

    /** What the ref stands for now. */
    String commit(String ref) {
        if (ref.isBlank() || ref.startsWith("-") || ref.chars().anyMatch(c -> c <= ' ')) {
            throw new WorktreeException(Kind.WRONG, "'" + ref + "' cannot be a ref");
        }
        Git.Result found = Git.run(gitDirectory, "rev-parse", "--verify", "--quiet", ref + "^{commit}");
        if (!found.ok()) {
            boolean empty = !Git.run(gitDirectory, "rev-parse", "--verify", "--quiet", "HEAD").ok();
            throw new WorktreeException(Kind.WRONG, empty && ref.equals("HEAD")
                    ? path + " has no commit yet; there is nothing to check out"
                    : "no commit, branch or tag '" + ref + "' in " + path + "; 'git -C " + path
                            + " branch -a' lists what there is");
        }
        return found.line();
    }

    /** Whether its own working tree has changes that no worktree will see. */
    boolean hasUncommittedChanges() {
        Git.Result status = Git.run(path, "status", "--porcelain", "--untracked-files=no");
        return status.ok() && !status.out().isBlank();
    }

    /** A name for people, and enough of a hash to tell repositories of one name apart. */
    String directoryName() {
        Path last = shown(gitDirectory).getFileName();
        return (last == null ? "root" : last) + "-"
                + HexFormat.of().toHexDigits(gitDirectory.toString().hashCode());
    }

    /** The directory that people know a repository by. */
    static Path shown(Path gitDirectory) {
        Path parent = gitDirectory.getParent();
        return gitDirectory.endsWith(".git") && parent != null ? parent : gitDirectory;
    }
}
