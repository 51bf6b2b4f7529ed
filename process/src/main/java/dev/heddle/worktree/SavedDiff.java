package dev.heddle.worktree;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import dev.heddle.job.JobId;
import dev.heddle.worktree.WorktreeException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt changed, read from its repository. Git runs without filters, drivers, external programs or anything
 * else that the repository may name, and compares stored trees only, not files of a working tree.
 *
 * @param files the changed files, by path
 * @param more whether there are so many more that they were not read
 */
public record SavedDiff(List<FileDiff> files, boolean more) {

    /** The most characters of a file's diff. */
    public static final int MOST_PER_FILE = 64 << 10;

    /** The most characters of all diffs. */
    public static final int MOST_IN_ALL = 512 << 10;

    private static final int MOST_BYTES = 4 << 20;
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40,64}");
    private static final List<String> COMPARE = List.of("diff-tree", "-r", "--no-ext-diff", "--no-textconv",
            "--no-color", "--find-renames", "-l1000", "--ignore-submodules=dirty", "--submodule=short");

    /** Copies the list. */
    public SavedDiff {
        files = List.copyOf(files);
    }

    /** What happened to a file. */
    public enum Status {
        /** It is new. */
        ADDED,
        /** Its content or its mode changed. */
        MODIFIED,
        /** It was deleted. */
        DELETED,
        /** It has another path. */
        RENAMED,
        /** It is a copy of another file. */
        COPIED,
        /** It became something else, such as a symbolic link. */
        TYPE_CHANGED
    }

    /**
     * A changed file.
     *
     * @param path its path
     * @param oldPath its path before, if it was renamed or copied
     * @param status what happened to it
     * @param added the number of added lines; 0 for a binary file
     * @param removed the number of removed lines; 0 for a binary file
     * @param binary whether git takes it for a binary file
     * @param text the unified diff; null for a binary file, or if there was no room for it
     * @param cut whether the end of the diff, or all of it, is left out because of its size
     */
    public record FileDiff(String path, @Nullable String oldPath, Status status, long added, long removed,
            boolean binary, @Nullable String text, boolean cut) {}

    /**
     * Reads the changes of an attempt.
     *
     * @param repository the directory of the repository
     * @param base the commit that the attempt started from
     * @throws WorktreeException if the repository or the changes are gone
     */
    public static SavedDiff read(Path repository, String base, JobId job, int attempt) {
        if (!COMMIT.matcher(base).matches()) {
            throw new WorktreeException(Kind.INVALID, "'" + base + "' is not the id of a commit");
        }
        Repository found = Repository.at(Git.UNTRUSTED, repository);
        String commit = found.commit(Snapshot.ref(job, attempt));
        return DiffOutput.parse(compare(found, base, commit, "--raw", "-z"),
                compare(found, base, commit, "--numstat", "-z"),
                compare(found, base, commit, "--patch", "--unified=3", "--src-prefix=a/", "--dst-prefix=b/"));
    }

    private static String compare(Repository repository, String base, String commit, String... format) {
        List<String> command = new ArrayList<>(COMPARE);
        command.addAll(List.of(format));
        command.addAll(List.of(base, commit, "--"));
        Git.Result result = repository.git().read(repository.gitDirectory(), MOST_BYTES,
                command.toArray(String[]::new));
        if (!result.ok()) {
            throw Git.failure("compare " + base + " with " + commit, repository.path(), result);
        }
        return result.out();
    }

    /** Returns whether git may have written more than this. */
    static boolean isCut(String output) {
        return output.getBytes(StandardCharsets.UTF_8).length >= MOST_BYTES;
    }
}
