/**
 * Batches: one prompt template, applied to many units of data.
 *
 * <p>Start at {@link dev.heddle.batch.BatchPlan}. It reads the units from a {@link dev.heddle.batch.UnitSource}, checks
 * the whole batch before anything starts, and reports the first problem as a {@link dev.heddle.batch.BatchException}
 * with its file and line.
 *
 * <p>A unit's id is the hash of its payload, and a batch's id contains the hash of its template. Submitting a batch
 * again therefore repeats no work: units that are done keep their dedupe key, and only new units run. This package
 * knows neither agents nor processes; the command line submits the plan.
 */
@NullMarked
package dev.heddle.batch;

import org.jspecify.annotations.NullMarked;
