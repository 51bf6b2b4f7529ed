/**
 * Jobs that are command lines.
 *
 * <p>Start at {@link dev.heddle.command.CommandSpec}, which describes a job type, and
 * {@link dev.heddle.command.CommandRuntime}, which registers it with a pool and owns the node's processes, worktrees
 * and run records. One attempt goes through these classes:
 *
 * <pre>
 * CommandAttempt ─► Workspace.prepare ─► Processes.start ─► stdout.log, stderr.log, result.json
 *       │           (WorktreePool)         per step            (OutputLimiter)
 *       └─ always: Workspace.close ─► Artifacts ─► WorktreePool.release ─► RunRecorder ─► RunArchive
 * </pre>
 *
 * <ul>
 * <li>{@link dev.heddle.command.WorkspaceSpec} describes a working directory; {@link dev.heddle.command.Workspace} is
 * that of one run. Agents use both, too.
 * <li>A dead node leaves a marker for each run ({@link dev.heddle.output.RunFiles}). Opening the runtime kills what is
 * left of these runs, saves their changes, and stores the end of their output. Runs that outlive their node are left
 * alone.
 * <li>{@link dev.heddle.command.AdHocCommand} is a command line that comes with the job, as {@code heddle run} submits
 * it.
 * </ul>
 */
@NullMarked
package dev.heddle.command;

import org.jspecify.annotations.NullMarked;
