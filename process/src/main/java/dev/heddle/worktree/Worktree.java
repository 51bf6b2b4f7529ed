package dev.heddle.worktree;

import java.nio.file.Path;

/**
 * A worktree that an attempt has acquired.
 *
 * @param path its directory
 * @param commit the commit that was checked out
 * @param metadata its state on disk
 */
public record Worktree(Path path, String commit, WorktreeMetadata metadata) {}
