/**
 * Benchmarks of Heddle and its peers: the same no-op jobs, the same disk or server, one harness.
 *
 * <p>Start at {@link dev.heddle.benchmarks.Contender}, which each product implements, and
 * {@link dev.heddle.benchmarks.Trial}, which measures a contender. {@link dev.heddle.benchmarks.Contenders} lists all
 * contenders; {@link dev.heddle.benchmarks.Comparison} runs them in alternating rounds, each in a child JVM.
 * {@link dev.heddle.benchmarks.MultiNodeDrain} measures several processes on one queue, and
 * {@link dev.heddle.benchmarks.Scale} measures Heddle at different sizes.
 */
@NullMarked
package dev.heddle.benchmarks;

import org.jspecify.annotations.NullMarked;
