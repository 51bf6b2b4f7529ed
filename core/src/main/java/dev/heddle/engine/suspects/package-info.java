/**
 * Finds the job that kills its node, without blaming or delaying its neighbors. Internal, not API.
 *
 * <p>{@link dev.heddle.engine.suspects.Blame} decides at the death of a node which jobs may have caused it, {@link
 * dev.heddle.engine.suspects.StartLimit} how many of them may run at once afterwards, and {@link
 * dev.heddle.engine.suspects.Probation} when one is cleared. These are pure. {@link
 * dev.heddle.engine.suspects.StartControl} applies them to the claims of a node.
 */
@NullMarked
package dev.heddle.engine.suspects;

import org.jspecify.annotations.NullMarked;
