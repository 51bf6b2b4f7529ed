package dev.heddle.worker;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

import dev.heddle.job.JobId;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;

/**
 * A worker at one moment. Immutable.
 *
 * @param id the id of the worker
 * @param group its group
 * @param state its state
 * @param health its health
 * @param job the job it runs; null unless it is BUSY
 * @param since when its state last changed
 * @param jobs how many jobs it has ended
 * @param facts what else is known, such as the pid and the memory of a process
 */
public record WorkerSnapshot(String id, String group, WorkerState state, Health health, @Nullable JobId job,
        Instant since, long jobs, Map<String, String> facts) {

    /**
     * Cuts facts that are too long, and replaces characters that not every store can keep: a store that refused the
     * snapshot would refuse the renewal of the node's lease with it.
     */
    public WorkerSnapshot {
        Map<String, String> storable = new TreeMap<>();
        facts.forEach((name, value) -> storable.put(Limits.cut(name, Limits.NAME), Limits.cut(value, Limits.REASON)));
        facts = Collections.unmodifiableMap(storable);
    }

    /** Returns a copy with one more fact. */
    public WorkerSnapshot with(String name, String value) {
        Map<String, String> more = new TreeMap<>(facts);
        more.put(name, value);
        return new WorkerSnapshot(id, group, state, health, job, since, jobs, more);
    }
}
