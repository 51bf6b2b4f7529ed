package dev.heddle.worker;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

import dev.heddle.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * A worker at one moment.
 *
 * @param job what it runs, while BUSY
 * @param since when it came into its state
 * @param jobs how many it has ended
 * @param facts what else is known, such as the pid and the memory of a process
 */
public record WorkerSnapshot(String id, String group, WorkerState state, Health health, @Nullable JobId job,
        Instant since, long jobs, Map<String, String> facts) {

    /** The same, with one thing more that is known. */
    public WorkerSnapshot with(String name, String value) {
        Map<String, String> more = new TreeMap<>(facts);
        more.put(name, value);
        return new WorkerSnapshot(id, group, state, health, job, since, jobs, more);
    }
}
