package dev.heddle.worktree;

import java.nio.file.Path;

/**
 * What an attempt changed, kept in its repository: {@code git -C REPOSITORY diff BASE REF} shows it.
 *
 * @param ref such as {@code refs/heddle/JOB/ATTEMPT}
 * @param base what the attempt began with
 */
public record SavedWork(Path repository, String ref, String commit, String base) {}
