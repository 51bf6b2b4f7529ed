package dev.heddle.simulation;

import java.util.Map;

import dev.heddle.store.JobReader;

/**
 * What is known of real nodes at one moment.
 *
 * @param stories all that was told of the jobs
 * @param observer reads the store
 * @param deathTimes when nodes died, by the clock of the reports
 * @param deaths how many nodes have died, or were taken for dead
 * @param mostWorkers how many jobs can run at once
 * @param isSingle whether the store is for one node at a time
 * @param mayClose whether nodes were closed while they had work
 * @param mayStandStill whether nodes stood still for longer than their lease
 */
record RealEvidence(Stories stories, JobReader observer, Map<String, Long> deathTimes, int deaths, int mostWorkers,
        boolean isSingle, boolean mayClose, boolean mayStandStill) implements Evidence {

    @Override
    public long diedAt(String node) {
        return deathTimes.getOrDefault(node, Long.MAX_VALUE);
    }

    /** Nodes are killed in every run. */
    @Override
    public boolean mayLoseNodes() {
        return true;
    }

    @Override
    public boolean mayDieByChance() {
        return true;
    }

    @Override
    public boolean mayMissWhatOthersDid() {
        return true;
    }

    @Override
    public boolean mayMisjudgeTime() {
        return false;
    }

    /** A busy machine may keep a handler from its end for any time. */
    @Override
    public boolean mayHang() {
        return true;
    }
}
