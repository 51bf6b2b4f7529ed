package dev.heddle.worktree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.heddle.process.files.FileTree;
import dev.heddle.worktree.WorktreeException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Runs git in one worktree. Every command names the repository and the directory explicitly and never lets git search
 * for them: a job may have deleted or changed the {@code .git} file in its worktree, and git would then find the
 * repository around it, which may be the user's own.
 */
final class WorktreeGit {

    /** What git itself leaves in the worktree's part of the repository; anything else is an unfinished operation. */
    private static final Set<String> EXPECTED_FILES = Set.of("HEAD", "ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG",
            "index", "commondir", "gitdir", "logs", "refs");

    private final Git git;
    private final Path path;
    private final Path gitDirectory;
    private final Path repository;
    /** The names of the repository's settings, listed once: this object lives for one operation. */
    private @Nullable List<String> settings;

    /**
     * Creates a git for a worktree.
     *
     * @param gitDirectory the worktree's own part of the repository
     * @param repository the git directory of the repository
     */
    WorktreeGit(Git git, Path path, Path gitDirectory, Path repository) {
        this.git = git;
        this.path = path;
        this.gitDirectory = gitDirectory;
        this.repository = repository;
    }

    Git.Result run(Map<String, String> variables, String... arguments) {
        Map<String, String> all = new HashMap<>(variables);
        all.put("GIT_DIR", gitDirectory.toString());
        all.put("GIT_COMMON_DIR", repository.toString());
        all.put("GIT_WORK_TREE", path.toString());
        if (settings == null) {
            Git.Result listed = git.settings(path, all);
            if (!listed.ok()) {
                return listed;
            }
            settings = listed.parts();
        }
        return git.run(path, all, settings, arguments);
    }

    /** Runs git, and fails with "cannot {@code purpose}" if git does. */
    Git.Result runOrFail(String purpose, Map<String, String> variables, String... arguments) {
        Git.Result result = run(variables, arguments);
        if (!result.ok()) {
            throw Git.failure(purpose, path, result);
        }
        return result;
    }

    Path path() {
        return path;
    }

    Path index() {
        return gitDirectory.resolve("index");
    }

    /** Checks out a commit and removes everything else; returns false if the worktree cannot be reused. */
    boolean reset(String commit) {
        return isReusable() && run(Map.of(), "checkout", "--quiet", "--detach", "--force", commit).ok()
                && run(Map.of(), "clean", "-ffdxq").ok();
    }

    /**
     * Tells whether another job can use the worktree, without looking at every file. Repairs the links to and
     * from the repository.
     */
    boolean isReusable() {
        if (!Files.isDirectory(path) || hasUnfinishedOperation()) {
            return false;
        }
        restoreLinks();
        return true;
    }

    /** The next job must not inherit an unfinished rebase, the lock of a killed git, or a submodule. */
    private boolean hasUnfinishedOperation() {
        try (Stream<Path> entries = Files.list(gitDirectory)) {
            return !entries.allMatch(entry -> EXPECTED_FILES.contains(entry.getFileName().toString()))
                    || !isEmpty(gitDirectory.resolve("refs"));
        } catch (IOException e) {
            return true;
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return true;
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }

    /** Restores the files by which worktree and repository find each other, which a job may have changed. */
    void restoreLinks() {
        restore(path.resolve(".git"), "gitdir: " + gitDirectory + "\n");
        if (Files.isDirectory(gitDirectory)) {
            restore(gitDirectory.resolve("commondir"), gitDirectory.relativize(repository) + "\n");
        }
    }

    private static void restore(Path link, String content) {
        try {
            if (!Files.isRegularFile(link, LinkOption.NOFOLLOW_LINKS) || !Files.readString(link).equals(content)) {
                delete(link);
                Files.writeString(link, content);
            }
        } catch (IOException e) {
            throw new WorktreeException(Kind.TRANSIENT, "cannot restore " + link + ": " + e, e);
        }
    }

    /** Removes a worktree, complete or not, from the disk and from git's list. */
    static void remove(Git git, Path path, Path repository) {
        if (Files.isDirectory(repository)) {
            // --force twice also removes a locked worktree. A failure is fine: git may not know the worktree.
            String[] command = {"worktree", "remove", "--force", "--force", path.toString()};
            Git.Result removed = git.run(repository, command);
            for (int tries = 1; Git.isBusy(removed) && tries < Git.MAX_TRIES; tries++) {
                Git.backOff(tries);
                removed = git.run(repository, command);
            }
        }
        delete(path);
    }

    static void delete(Path tree) {
        try {
            FileTree.delete(tree);
        } catch (IOException e) {
            throw new WorktreeException(Kind.TRANSIENT, "cannot delete " + tree + ": " + e, e);
        }
    }
}
