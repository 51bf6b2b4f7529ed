/**
 * Batches on a node. Start at {@link dev.heddle.cli.batch.BatchHandler}, which turns the job of a batch into one child
 * job per unit.
 */
@NullMarked
package dev.heddle.cli.batch;

import org.jspecify.annotations.NullMarked;
