package dev.heddle.control;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.heddle.job.JobState;
import dev.heddle.store.JobCounts;

/**
 * A queue.
 *
 * @param name the name
 * @param paused whether its jobs do not start
 * @param jobs the number of its jobs that have not ended, by state; states without jobs are left out
 */
public record QueueView(String name, boolean paused, Map<JobState, Long> jobs) {

    /** Returns the queues that have jobs or are paused, by name. */
    static List<QueueView> all(JobCounts tally) {
        Set<String> names = new TreeSet<>(tally.pausedQueues());
        tally.live().forEach(line -> names.add(line.queue()));
        return names.stream().map(name -> of(name, tally)).toList();
    }

    static QueueView of(String name, JobCounts tally) {
        return new QueueView(name, tally.pausedQueues().contains(name),
                tally.byState(line -> line.queue().equals(name)));
    }
}
