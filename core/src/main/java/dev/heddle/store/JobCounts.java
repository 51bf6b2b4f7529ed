package dev.heddle.store;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import dev.heddle.job.JobState;

/**
 * How many jobs there are that have not ended, and how many dead letters. Counted when asked for.
 *
 * @param live one line for each combination of queue, type and state that has jobs
 * @param dead how many dead letters there are
 * @param pausedQueues the names of the paused queues
 */
public record JobCounts(List<Line> live, long dead, Set<String> pausedQueues) {

    /**
     * The number of jobs of one combination.
     *
     * @param queue the name of the queue
     * @param type the name of the type
     * @param state the state
     * @param count how many
     */
    public record Line(String queue, String type, JobState state, long count) {}

    /** Returns how many live jobs are in a state. */
    public long in(JobState state) {
        return count(line -> line.state() == state);
    }

    /** Returns how many live jobs match. */
    public long count(Predicate<Line> filter) {
        return live.stream().filter(filter).mapToLong(Line::count).sum();
    }

    /** Returns how many live jobs match, by state; states without jobs are left out. */
    public Map<JobState, Long> byState(Predicate<Line> filter) {
        Map<JobState, Long> counts = new EnumMap<>(JobState.class);
        live.stream().filter(filter).forEach(line -> counts.merge(line.state(), line.count(), Long::sum));
        return counts;
    }
}
