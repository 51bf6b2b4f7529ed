package dev.heddle.schedule;

import java.time.Instant;
import java.util.List;

import dev.heddle.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as a store keeps it.
 *
 * @param name its name
 * @param state whether it fires
 * @param nextAt when to look at it next, by the clock of the store; null if it does not fire
 * @param open the jobs of its runs that had not ended when it last fired
 * @param document everything else, as JSON; the store does not look into it
 */
public record StoredSchedule(String name, ScheduleState state, @Nullable Instant nextAt, List<JobId> open,
        String document) {

    /** Copies the list. */
    public StoredSchedule {
        open = List.copyOf(open);
    }
}
