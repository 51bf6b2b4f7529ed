package dev.heddle.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.heddle.job.JobId;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive.Output;

/** What processes left, by job and attempt. A run whose job is gone stays until its files are, without its output. */
final class MemoryRuns {

    private record Key(JobId job, int attempt) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byJob = job.compareTo(other.job);
            return byJob != 0 ? byJob : Integer.compare(attempt, other.attempt);
        }
    }

    private record Kept(Run run, Output output) {}

    private final MemoryTable table;
    private final Map<Key, Kept> runs = new TreeMap<>();

    MemoryRuns(MemoryTable table) {
        this.table = table;
    }

    boolean keep(Run run, Output output) {
        if (isGone(run)) {
            return false;
        }
        runs.put(new Key(run.job(), run.attempt()), new Kept(run, output));
        return true;
    }

    List<Run> of(JobId job) {
        return runs.values().stream().map(Kept::run).filter(run -> run.job().equals(job) && !isGone(run))
                .toList();
    }

    Optional<Output> output(JobId job, int attempt) {
        return Optional.ofNullable(runs.get(new Key(job, attempt))).filter(kept -> !isGone(kept.run))
                .map(Kept::output);
    }

    List<Run> leftBehind(String place, int limit) {
        return runs.values().stream().map(Kept::run).filter(run -> run.place().equals(place) && isGone(run))
                .limit(limit).toList();
    }

    void forget(List<Run> forgotten) {
        forgotten.stream().filter(this::isGone)
                .forEach(run -> runs.remove(new Key(run.job(), run.attempt())));
    }

    private boolean isGone(Run run) {
        return table.find(run.job()) == null;
    }
}
