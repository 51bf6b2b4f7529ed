/**
 * Decides which jobs to claim, and when. Internal, not API.
 *
 * <p>{@link dev.heddle.engine.dispatch.Dispatcher} is the only thread that claims. {@link
 * dev.heddle.engine.dispatch.Demand} wakes it, {@link dev.heddle.engine.dispatch.ClaimWindow} says how much to claim,
 * and {@link dev.heddle.engine.dispatch.ClaimsInFlight} knows what this node has claimed and not yet settled.
 */
@NullMarked
package dev.heddle.engine.dispatch;

import org.jspecify.annotations.NullMarked;
