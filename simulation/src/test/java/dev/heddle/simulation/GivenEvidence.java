package dev.heddle.simulation;

import java.util.Map;

import dev.heddle.store.JobReader;

/** Evidence of a run without faults, except that nodes die at given times, or stand still. */
record GivenEvidence(Stories stories, JobReader observer, Map<String, Long> deathTimes, boolean mayStandStill)
        implements
            Evidence {

    @Override
    public long diedAt(String node) {
        return deathTimes.getOrDefault(node, Long.MAX_VALUE);
    }

    @Override
    public int deaths() {
        return deathTimes.size();
    }

    @Override
    public int mostWorkers() {
        return 6;
    }

    @Override
    public boolean mayMissWhatOthersDid() {
        return false;
    }

    @Override
    public boolean isSingle() {
        return false;
    }

    @Override
    public boolean mayLoseNodes() {
        return false;
    }

    @Override
    public boolean mayDieByChance() {
        return false;
    }

    @Override
    public boolean mayClose() {
        return false;
    }

    @Override
    public boolean mayMisjudgeTime() {
        return false;
    }

    @Override
    public boolean mayHang() {
        return false;
    }
}
