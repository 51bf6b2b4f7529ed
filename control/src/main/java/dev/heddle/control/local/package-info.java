/**
 * Answers from a pool or a store in this process. Start with {@link dev.heddle.control.local.LocalControl}: it checks
 * what callers pass ({@code InputChecks}), finds the jobs they name ({@code JobResolver}), asks a {@code Backend}, which
 * is a pool or a store, and returns {@code Views} of what it answers.
 *
 * <p>{@link dev.heddle.control.local.SubmissionGate} decides who may submit what. Types and tags that mean something to
 * a node are {@link dev.heddle.control.local.ReservedNames}; the payload of one of them is a
 * {@link dev.heddle.control.local.BatchSpec}.
 */
@NullMarked
package dev.heddle.control.local;

import org.jspecify.annotations.NullMarked;
