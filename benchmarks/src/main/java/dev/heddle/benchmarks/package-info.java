/**
 * Benchmarks of Heddle and its peers: the same no-op jobs, the same disk or server, one harness.
 *
 * <p>Start at {@link dev.heddle.benchmarks.Main}. {@link dev.heddle.benchmarks.contender.Contender} is what each
 * product implements, and {@link dev.heddle.benchmarks.trial.Trial} measures a contender.
 * {@link dev.heddle.benchmarks.Comparison} runs the contenders in alternating rounds, each in a child JVM, and
 * {@link dev.heddle.benchmarks.MultiNodeComparison} runs several processes on one queue. The results are printed and
 * written by {@link dev.heddle.benchmarks.report}. What is measured of Heddle alone is in
 * {@link dev.heddle.benchmarks.heddle}.
 */
@NullMarked
package dev.heddle.benchmarks;

import org.jspecify.annotations.NullMarked;
