package dev.heddle.worktree;

import java.nio.file.Path;

/**
 * A checkout for one attempt.
 *
 * @param path its directory
 * @param commit what was checked out
 */
public record Worktree(Path path, String commit, Owner owner) {}
