/**
 * What is measured of Heddle alone. Start with {@link dev.heddle.benchmarks.heddle.Scale}, which measures it at
 * different sizes. The other programs measure processes, worktrees and what happens after a crash.
 */
@NullMarked
package dev.heddle.benchmarks.heddle;

import org.jspecify.annotations.NullMarked;
