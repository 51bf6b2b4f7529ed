package dev.heddle.worktree;

import java.nio.file.Path;

/**
 * The changes of an attempt, saved in its repository. {@code git -C REPOSITORY diff BASE REF} shows them.
 *
 * @param repository the directory of the repository
 * @param ref where the changes are saved, such as {@code refs/heddle/JOB/ATTEMPT}
 * @param commit the commit to which the ref points
 * @param base the commit that the attempt started from
 */
public record SavedWork(Path repository, String ref, String commit, String base) {}
