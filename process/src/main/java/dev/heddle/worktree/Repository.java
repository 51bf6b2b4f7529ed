package dev.heddle.worktree;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

import dev.heddle.worktree.WorktreeException.Kind;

/**
 * A git repository from which worktrees are created.
 *
 * @param git runs git in it
 * @param path the directory as it was given
 * @param gitDirectory the git directory that all worktrees share; it identifies the repository, whatever its path
 */
record Repository(Git git, Path path, Path gitDirectory) {

    /** Finds the repository to which a directory belongs. */
    static Repository at(Git git, Path path) {
        if (!Files.isDirectory(path)) {
            throw new WorktreeException(Kind.INVALID,
                    Files.exists(path) ? path + " is not a directory; give the directory of a git repository"
                            : path + " does not exist; give the directory of a git repository");
        }
        Git.Result found = git.run(path, "rev-parse", "--path-format=absolute", "--git-common-dir");
        if (!found.ok()) {
            throw new WorktreeException(Kind.INVALID,
                    found.mentions("not a git repository")
                            ? path + " is not a git repository; create one with 'git init' or give another directory"
                            : path + " cannot be used as a git repository: " + found.errorLine());
        }
        try {
            return new Repository(git, path, Path.of(found.line()).toRealPath());
        } catch (IOException e) {
            throw new WorktreeException(Kind.TRANSIENT, "cannot access " + found.line() + ": " + e, e);
        }
    }

    /** Returns the commit that a ref currently points to. */
    String commit(String ref) {
        if (ref.isBlank() || ref.startsWith("-") || ref.chars().anyMatch(c -> c <= ' ')) {
            throw new WorktreeException(Kind.INVALID,
                    "'" + ref + "' is not a valid git ref; give a branch, a tag or a commit");
        }
        Git.Result found = git.run(gitDirectory, "rev-parse", "--verify", "--quiet", ref + "^{commit}");
        if (!found.ok()) {
            boolean empty = !git.run(gitDirectory, "rev-parse", "--verify", "--quiet", "HEAD").ok();
            throw new WorktreeException(Kind.INVALID,
                    empty && ref.equals("HEAD") ? path + " has no commit to check out yet; make a first commit"
                            : "no commit, branch or tag '" + ref + "' in " + path + "; list the branches with 'git -C "
                                    + path + " branch -a'");
        }
        return found.line();
    }

    /** Tells whether the repository's own working tree has changes, which worktrees do not see. */
    boolean hasUncommittedChanges() {
        Git.Result status = git.run(path, "status", "--porcelain", "--untracked-files=no",
                "--ignore-submodules=dirty");
        return status.ok() && !status.out().isBlank();
    }

    /** Tells whether a checkout has files that a filter converts, such as those of Git LFS. */
    static boolean hasFilters(Path checkout) {
        try {
            return Files.readString(checkout.resolve(".gitattributes"), StandardCharsets.ISO_8859_1)
                    .contains("filter=");
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns a readable directory name with a hash that distinguishes repositories of the same name. */
    String directoryName() {
        Path last = displayPath(gitDirectory).getFileName();
        return (last == null ? "root" : last) + "-" + HexFormat.of().toHexDigits(gitDirectory.toString().hashCode());
    }

    /** Returns the directory by which people know a repository: without {@code /.git}. */
    static Path displayPath(Path gitDirectory) {
        Path parent = gitDirectory.getParent();
        return gitDirectory.endsWith(".git") && parent != null ? parent : gitDirectory;
    }
}
