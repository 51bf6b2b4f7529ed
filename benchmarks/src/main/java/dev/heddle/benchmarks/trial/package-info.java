/**
 * Measures one contender. Start with {@link dev.heddle.benchmarks.trial.Trial};
 * {@link dev.heddle.benchmarks.trial.MultiNodeDrain} measures several processes on one queue.
 */
@NullMarked
package dev.heddle.benchmarks.trial;

import org.jspecify.annotations.NullMarked;
