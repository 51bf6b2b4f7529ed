/**
 * Commands as jobs: {@link dev.heddle.examples.checks.BranchChecks} counts the words of a file on several branches of a
 * git repository, each in its own worktree.
 */
@NullMarked
package dev.heddle.examples.checks;

import org.jspecify.annotations.NullMarked;
