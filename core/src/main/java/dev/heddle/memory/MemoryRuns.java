package dev.heddle.memory;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.heddle.job.JobId;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive.Output;

/** The runs of a {@link MemoryStore}. A run whose job is gone stays until its files are deleted. */
final class MemoryRuns {

    private record Key(JobId job, int attempt) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byJob = job.compareTo(other.job);
            return byJob != 0 ? byJob : Integer.compare(attempt, other.attempt);
        }
    }

    private record SavedRun(Run run, Output output) {}

    private final MemoryTable table;
    private final Map<Key, SavedRun> runs = new TreeMap<>();

    MemoryRuns(MemoryTable table) {
        this.table = table;
    }

    boolean save(Run run, Output output) {
        if (isGone(run)) {
            return false;
        }
        runs.put(new Key(run.job(), run.attempt()), new SavedRun(run, output));
        return true;
    }

    List<Run> of(JobId job) {
        return runs.values().stream().map(SavedRun::run).filter(run -> run.job().equals(job) && !isGone(run)).toList();
    }

    Optional<Output> output(JobId job, int attempt) {
        return Optional.ofNullable(runs.get(new Key(job, attempt))).filter(saved -> !isGone(saved.run))
                .map(SavedRun::output);
    }

    List<Run> ofDeletedJobs(String place, int limit) {
        return runs.values().stream().map(SavedRun::run).filter(run -> run.place().equals(place) && isGone(run))
                .limit(limit).toList();
    }

    void forget(List<Run> forgotten) {
        forgotten.stream().filter(this::isGone).forEach(run -> runs.remove(new Key(run.job(), run.attempt())));
    }

    private boolean isGone(Run run) {
        return table.find(run.job()) == null;
    }
}
