/**
 * Runs a node: opens the stages in order, wires them together, and closes them in reverse. Internal, not API.
 *
 * <p>Start with {@link dev.heddle.engine.Node}. A job passes through the stages in this order:
 * <ol>
 * <li>{@code submit}: a request becomes a committed row.
 * <li>{@code dispatch}: the dispatcher claims jobs for workers that have room.
 * <li>{@code execute}: a worker runs one attempt; its outcome becomes a transition.
 * <li>{@code commit}: the transition is written in a group, and then reported.
 * </ol>
 * Beside them, {@code cluster} keeps this node's lease and recovers the jobs of dead nodes, {@code session} keeps the
 * jobs of a client on one worker, {@code suspects} finds the job that kills its node, {@code log} stores what handlers
 * log, {@code registry} knows the handlers of this node, and {@code support} holds what all of them share.
 *
 * <p>Dependencies point from {@code cluster} and {@code execute} to {@code commit}, {@code submit}, {@code dispatch}
 * and {@code registry}, in this order. If a stage needs one that depends on it, it declares a small interface, which is
 * implemented here: {@code StoreClaims}, {@code GroupListener}, {@code LeaseEvents} and {@code NodeServices} exist for
 * that reason only.
 */
@NullMarked
package dev.heddle.engine;

import org.jspecify.annotations.NullMarked;
