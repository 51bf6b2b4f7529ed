package dev.heddle.worktree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.heddle.process.FileTree;
import dev.heddle.worktree.WorktreeException.Kind;

/**
 * What git does with one worktree. It is always told which repository and which directory it works on and never looks
 * for them: a job may have deleted or changed the {@code .git} file in its worktree, and then git would find the
 * repository around it, which may be the user's own.
 */
final class Checkout {

    /** What git itself leaves in the worktree's part of the repository; anything else is a job half done. */
    private static final Set<String> ORDINARY = Set.of("HEAD", "ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG",
            "index", "commondir", "gitdir", "logs", "refs");

    private final Path path;
    private final Path gitDirectory;

    Checkout(Path path, Path gitDirectory) {
        this.path = path;
        this.gitDirectory = gitDirectory;
    }

    Git.Result git(Map<String, String> variables, String... arguments) {
        Map<String, String> where = new HashMap<>(variables);
        where.put("GIT_DIR", gitDirectory.toString());
        where.put("GIT_WORK_TREE", path.toString());
        return Git.run(path, where, arguments);
    }

    Git.Result must(String what, Map<String, String> variables, String... arguments) {
        Git.Result result = git(variables, arguments);
        if (!result.ok()) {
            throw Git.failed(what, path, result);
        }
        return result;
    }

    Path path() {
        return path;
    }

    Path index() {
        return gitDirectory.resolve("index");
    }

    /** Brings it to the commit with nothing else in it; false where it is not fit to be used again. */
    boolean reset(String commit) {
        return isFit() && git(Map.of(), "checkout", "--quiet", "--detach", "--force", commit).ok()
                && git(Map.of(), "clean", "-ffdxq").ok();
    }

    /** Whether another job can have it, as far as can be seen without looking at every file. */
    boolean isFit() {
        if (!Files.isDirectory(path) || !isOrdinary()) {
            return false;
        }
        restoreLink();
        return true;
    }

    /** A rebase half done, a lock of a git that was killed, a submodule: none of it is the next job's. */
    private boolean isOrdinary() {
        try (Stream<Path> entries = Files.list(gitDirectory)) {
            return entries.allMatch(entry -> ORDINARY.contains(entry.getFileName().toString()))
                    && isEmpty(gitDirectory.resolve("refs"));
        } catch (IOException e) {
            return false;
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

    private void restoreLink() {
        Path link = path.resolve(".git");
        String right = "gitdir: " + gitDirectory + "\n";
        try {
            if (!Files.isRegularFile(link) || !Files.readString(link).equals(right)) {
                delete(link);
                Files.writeString(link, right);
            }
        } catch (IOException e) {
            throw new WorktreeException(Kind.TROUBLE, "cannot restore " + link + ": " + e, e);
        }
    }

    /** Takes a worktree off the disk and off git's list; it need not be whole. */
    static void remove(Path path, Path repository) {
        if (Files.isDirectory(repository)) {
            // Twice forced: also where somebody locked it. Fails where git does not know it, which is as well.
            String[] removing = {"worktree", "remove", "--force", "--force", path.toString()};
            Git.Result removed = Git.run(repository, removing);
            for (int tries = 1; Git.isBusy(removed) && tries < Git.MOST_TRIES; tries++) {
                Git.makeWay(tries);
                removed = Git.run(repository, removing);
            }
        }
        delete(path);
    }

    static void delete(Path tree) {
        try {
            FileTree.delete(tree);
        } catch (IOException e) {
            throw new WorktreeException(Kind.TROUBLE, "cannot delete " + tree + ": " + e, e);
        }
    }
}
