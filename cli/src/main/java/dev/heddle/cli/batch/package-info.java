/**
 * Batches on a node: {@link dev.heddle.cli.batch.BatchDesk} makes of an order a job type for its units, and of the order's job
 * their parent.
 */
@NullMarked
package dev.heddle.cli.batch;

import org.jspecify.annotations.NullMarked;
