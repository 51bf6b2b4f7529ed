package dev.heddle.store;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import dev.heddle.job.JobState;

/**
 * How many jobs there are that have not ended, and how many dead letters; counted, not kept.
 *
 * @param live one line for each combination that has jobs
 * @param pausedQueues the queues that nothing is claimed from
 */
public record Tally(List<Line> live, long dead, Set<String> pausedQueues) {

    public record Line(String queue, String type, JobState state, long count) {}

    public long in(JobState state) {
        return count(line -> line.state() == state);
    }

    public long count(Predicate<Line> which) {
        return live.stream().filter(which).mapToLong(Line::count).sum();
    }

    /** A state that has none is left out. */
    public Map<JobState, Long> byState(Predicate<Line> which) {
        Map<JobState, Long> counts = new EnumMap<>(JobState.class);
        live.stream().filter(which).forEach(line -> counts.merge(line.state(), line.count(), Long::sum));
        return counts;
    }
}
