/**
 * Commands as jobs: {@link dev.heddle.examples.checks.BranchChecks} counts the words of a file on every branch of a git
 * repository, each in a worktree of its own.
 */
@NullMarked
package dev.heddle.examples.checks;

import org.jspecify.annotations.NullMarked;
