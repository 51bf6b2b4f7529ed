/**
 * Git worktrees for attempts: each gets a checkout of its own, and what it changed there is kept when the checkout goes.
 * Start at {@link dev.heddle.worktree.Worktrees}.
 */
@NullMarked
package dev.heddle.worktree;

import org.jspecify.annotations.NullMarked;
