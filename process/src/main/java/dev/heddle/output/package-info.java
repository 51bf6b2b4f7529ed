/**
 * What the processes of an attempt leave behind: their output and their artifacts.
 *
 * <p>Start at {@link dev.heddle.output.RunFiles}, which knows where every file of an attempt is.
 *
 * <ul>
 * <li>Processes write their output to files directly, so nothing is lost if the node dies.
 * {@link dev.heddle.output.OutputLimiter} keeps these files within a size limit while they grow.
 * <li>{@link dev.heddle.output.OutputReader} reads them in pieces; {@link dev.heddle.output.OutputArchive} does so by
 * run, also if no node is running.
 * <li>{@link dev.heddle.output.Artifacts} copies selected files out of the working directory.
 * </ul>
 */
@NullMarked
package dev.heddle.output;

import org.jspecify.annotations.NullMarked;
