/**
 * The rules of dedupe keys, without I/O. {@link dev.heddle.dedupe.DedupeRules} decides what a submit does;
 * {@link dev.heddle.job.Dedupe} has the modes that an application chooses from.
 */
@NullMarked
package dev.heddle.dedupe;

import org.jspecify.annotations.NullMarked;
