package dev.heddle.simulation;

import java.util.List;
import java.util.stream.Stream;

/**
 * How runs with real nodes went.
 *
 * @param runs how many runs
 * @param acknowledged how many jobs were acknowledged
 * @param executions how often a handler was called for one of them
 * @param kills how many nodes the test has killed
 * @param killedByJobs how many nodes were killed by a job
 * @param stops how often a node stood still because the test stopped it
 * @param closes how often a node was closed
 * @param cuts how often all connections were broken
 * @param stoodStill in how many runs a node may have stood still for longer than its lease, so that jobs may have run
 *         twice at the same time
 * @param violations what was wrong; empty if nothing was
 */
record RealResult(int runs, long acknowledged, long executions, int kills, long killedByJobs, int stops, int closes,
        int cuts, int stoodStill, List<String> violations) {

    RealResult plus(RealResult other) {
        return new RealResult(runs + other.runs, acknowledged + other.acknowledged, executions + other.executions,
                kills + other.kills, killedByJobs + other.killedByJobs, stops + other.stops, closes + other.closes,
                cuts + other.cuts, stoodStill + other.stoodStill,
                Stream.concat(violations.stream(), other.violations.stream()).toList());
    }

    static RealResult none() {
        return new RealResult(0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());
    }
}
