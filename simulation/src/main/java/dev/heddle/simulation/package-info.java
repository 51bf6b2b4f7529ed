/**
 * Runs several nodes in one thread, with simulated time and faults. Start with
 * {@link dev.heddle.simulation.Simulation}: it plays a {@link dev.heddle.simulation.Plan}, and the same plan always
 * plays the same way.
 *
 * <p>A new feature adds the following:
 * <ul>
 * <li>A kind of jobs is a {@link dev.heddle.simulation.Workload} and a line in {@link dev.heddle.simulation.Work}. The
 * class says how a job is submitted, what its handler does, and what must be true of it: after every commit
 * ({@code wrongNow}), after every report ({@code wrongSoFar}), and at the end ({@code wrong}). If it holds back jobs on
 * purpose, {@code release} lets them go.
 * <li>Something that clients ask of jobs is a line in {@link dev.heddle.simulation.Order}, with the states that it
 * suits.
 * <li>A fault is a line in {@link dev.heddle.simulation.Plan.Fault}, and one in {@link dev.heddle.simulation.Script}.
 * <li>A rule about all jobs goes to {@link dev.heddle.simulation.CommitRules},
 * {@link dev.heddle.simulation.StoryRules} or {@link dev.heddle.simulation.EndRules}.
 * <li>A patch in {@code simulation/mutations} breaks the feature, and {@code simulation/mutate} must find it.
 * </ul>
 */
@NullMarked
package dev.heddle.simulation;

import org.jspecify.annotations.NullMarked;
