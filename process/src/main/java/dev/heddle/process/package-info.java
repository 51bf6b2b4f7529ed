/**
 * Starts operating system processes and guarantees that none of them is left behind.
 *
 * <p>Start with {@link dev.heddle.process.Processes}. It starts a {@link dev.heddle.process.Launch} and returns a
 * {@link dev.heddle.process.RunningProcess}, whose {@link dev.heddle.process.Exit} completes only when the command and
 * everything it started have ended.
 *
 * <pre>
 * Launch ─► Processes.start ─► ProcessRegistry ─► Spawner ─► RunningProcess ─► Sweeper ─► Exit
 *           LaunchPlan         (a file, written                                (kills what is left)
 *           (checks it)         before the start)
 * </pre>
 *
 * <ul>
 * <li>{@link dev.heddle.process.Isolation} says how strongly a process and its descendants are held together. All of
 * them carry the same {@code ProcessMark}, as an environment variable and as a resource limit, so a daemon is found
 * even if it leaves its session and clears its environment.
 * <li>If a node is killed, the kernel ends its namespaces with it. {@code DeadNodeCleanup} ends everything else when
 * the next node opens on the same directory.
 * <li>{@link dev.heddle.process.environment.EnvironmentRules} decides which variables a process inherits. Secrets are
 * held back.
 * <li>{@link dev.heddle.process.Confinement} limits what a process can do: it runs as another user, or in a
 * {@link dev.heddle.process.Sandbox}. {@link dev.heddle.process.NodeProtection} hides the node from its processes.
 * <li>{@link dev.heddle.process.ShortCommand} runs the commands of the node itself.
 * <li>{@link dev.heddle.process.Headroom} is the free memory and disk space required to start another process.
 * <li>{@link dev.heddle.process.DetachedProcess} is the one exception to the guarantee: it outlives its node on
 * purpose.
 * <li>{@code Platform} is the only seam between operating systems: {@code LinuxPlatform}, and {@code PortablePlatform}
 * for everything else. {@code dev.heddle.process.linux} reads and signals processes for the former.
 * <li>{@link dev.heddle.process.files.ScratchDirectory} and its neighbours are files that disappear with their owner.
 * </ul>
 *
 * <p>{@code docs/operations/processes.md} explains the guarantees and their limits for users.
 */
@NullMarked
package dev.heddle.process;

import org.jspecify.annotations.NullMarked;
