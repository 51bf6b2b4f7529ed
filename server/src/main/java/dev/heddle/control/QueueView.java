package dev.heddle.control;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.heddle.job.JobState;
import dev.heddle.store.Tally;

/**
 * A queue.
 *
 * @param paused whether nothing of it starts
 * @param jobs how many of its jobs have not ended, by state; a state with none is left out
 */
public record QueueView(String name, boolean paused, Map<JobState, Long> jobs) {

    /** Those that have jobs or are paused. */
    static List<QueueView> all(Tally tally) {
        Set<String> names = new TreeSet<>(tally.pausedQueues());
        tally.live().forEach(line -> names.add(line.queue()));
        return names.stream().map(name -> of(name, tally)).toList();
    }

    static QueueView of(String name, Tally tally) {
        return new QueueView(name, tally.pausedQueues().contains(name),
                tally.byState(line -> line.queue().equals(name)));
    }
}
