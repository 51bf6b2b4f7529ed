package dev.heddle.cli.serve;

import java.nio.file.Path;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.shell.CliException;
import dev.heddle.worktree.WorktreeException;
import dev.heddle.worktree.WorktreePool;

/** Checks a repository before jobs run in worktrees of it. */
record RepositoryCheck(CliContext context) {

    /** Fails if the path is not a git repository, and warns of uncommitted changes. */
    void check(Path repository) {
        try {
            if (WorktreePool.hasUncommittedChanges(repository)) {
                context.output().info(repository + " has uncommitted changes, which the job will not see");
            }
        } catch (WorktreeException e) {
            throw CliException.usage(String.valueOf(e.getMessage()));
        }
    }
}
