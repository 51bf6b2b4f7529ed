/**
 * Git worktrees for attempts: each attempt works in its own checkout, and what it changed is saved when it ends.
 *
 * <p>Start at {@link dev.heddle.worktree.WorktreePool}.
 *
 * <ul>
 * <li>{@link dev.heddle.worktree.WorktreeMetadata}, a file beside each worktree, names the job that uses it and the
 * process that owns it. The owner's {@code LivenessLock} tells whether that process is alive. The next process
 * therefore finds and saves what a crash left.
 * <li>{@code Snapshot} saves changes under {@code refs/heddle/JOB/ATTEMPT}, without touching branches, hooks or
 * configuration.
 * <li>{@code Git} and {@code WorktreeGit} run the git command, isolated from the node. {@code PinnedSettings} are those
 * by which a repository could make git run programs.
 * </ul>
 */
@NullMarked
package dev.heddle.worktree;

import org.jspecify.annotations.NullMarked;
