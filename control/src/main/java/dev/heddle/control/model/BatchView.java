package dev.heddle.control.model;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;

import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A batch and its progress.
 *
 * @param id the id of its job
 * @param name the name people use
 * @param type the job type of its units
 * @param state the state of its job until that has ended; then WAITING if units were queued again, FAILED if units
 *     failed, CANCELLED if units were cancelled, and COMPLETED only if all units completed
 * @param createdAt when it was submitted
 * @param endedAt when it ended; null if units are left
 * @param units the number of units
 * @param counts the number of units in each state
 * @param usd the cost so far in US dollars
 * @param estimated whether part of the cost was computed from a price table
 * @param tokens the number of tokens used so far
 * @param tryFirst how many units run before the batch needs approval; 0 if all run at once
 * @param waits whether the remaining units wait for approval
 * @param held why no unit can start at the moment; null if units can start
 * @param error why the batch has no units; null if there was no error
 */
public record BatchView(String id, String name, String type, JobState state, Instant createdAt,
        @Nullable Instant endedAt, int units, Map<JobState, Long> counts, BigDecimal usd, boolean estimated,
        long tokens, int tryFirst, boolean waits, @Nullable String held, @Nullable String error) {

    /** Returns the number of units in this state. */
    public long in(JobState unitState) {
        return counts.getOrDefault(unitState, 0L);
    }

    /** Returns the number of units that have completed, failed or were cancelled. */
    public long ended() {
        return counts.entrySet().stream().filter(count -> count.getKey().isFinal()).mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Returns whether the trial units have ended and the rest waits for approval. */
    public boolean hasBeenTried() {
        return waits && ended() >= tryFirst;
    }
}
