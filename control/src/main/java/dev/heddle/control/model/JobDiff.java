package dev.heddle.control.model;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What an attempt of a job changed in its worktree.
 *
 * @param job the id of the job
 * @param attempt the number of the attempt
 * @param repository the directory of the repository on the machine of the attempt
 * @param base the commit that the attempt started from
 * @param ref the reference under which its changes are saved
 * @param files the number of changed files
 * @param added the number of added lines
 * @param removed the number of removed lines
 * @param changes the changed files, by path
 * @param more whether there are more files than these
 */
public record JobDiff(String job, int attempt, String repository, String base, String ref, int files, long added,
        long removed, List<FileChange> changes, boolean more) {

    /**
     * A changed file.
     *
     * @param path its path
     * @param oldPath its path before, if it was renamed or copied
     * @param status what happened to it
     * @param added the number of added lines; null for a binary file
     * @param removed the number of removed lines; null for a binary file
     * @param binary whether it is a binary file
     * @param diff the unified diff; null for a binary file, or if the diffs of all files are too large
     * @param cut whether the end of the diff, or all of it, is left out because of the size
     */
    public record FileChange(String path, @Nullable String oldPath, Status status, @Nullable Long added,
            @Nullable Long removed, boolean binary, @Nullable String diff, boolean cut) {}

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
}
