/**
 * Runs several nodes in one thread, with simulated time and faults. Start with
 * {@link dev.heddle.simulation.Simulation}: it plays a {@link dev.heddle.simulation.Plan}, and the same plan always
 * plays the same way.
 */
@NullMarked
package dev.heddle.simulation;

import org.jspecify.annotations.NullMarked;
