/**
 * Heddle next to its peers: the same no-op jobs, the same disk or server, one harness.
 *
 * <p>Start at {@link dev.heddle.benchmarks.Contender}, which each product implements, and
 * {@link dev.heddle.benchmarks.Trial}, which measures any of them. {@link dev.heddle.benchmarks.Contenders}
 * lists who takes part; {@link dev.heddle.benchmarks.Comparison} runs them in turns, each in a JVM of its own.
 * {@link dev.heddle.benchmarks.Nodes} lets several processes drain one queue, {@link dev.heddle.benchmarks.Scale}
 * compares Heddle with itself.
 */
@NullMarked
package dev.heddle.benchmarks;

import org.jspecify.annotations.NullMarked;
