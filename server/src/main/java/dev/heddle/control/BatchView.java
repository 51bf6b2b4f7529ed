package dev.heddle.control;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;

import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A batch and how far it is.
 *
 * @param id of its job
 * @param type of its units
 * @param state of its job; WAITING, too, where that has ended and units of it were queued again
 * @param units how many there are
 * @param counts how many of them are in each state
 * @param usd what they have cost so far
 * @param estimated whether some of that is worked out from a table of prices
 * @param tryFirst how many of them run before somebody approves; 0 for all
 * @param waits whether the rest waits for approval
 * @param held why no unit may start now; null where they may
 * @param error why it has no units; null where nothing is wrong
 */
public record BatchView(String id, String name, String type, JobState state, Instant createdAt,
        @Nullable Instant endedAt, int units, Map<JobState, Long> counts, BigDecimal usd, boolean estimated,
        long tokens,
        int tryFirst, boolean waits, @Nullable String held, @Nullable String error) {

    public long in(JobState one) {
        return counts.getOrDefault(one, 0L);
    }

    /** How many have ended, in whatever way. */
    public long ended() {
        return counts.entrySet().stream().filter(count -> count.getKey().isFinal())
                .mapToLong(Map.Entry::getValue).sum();
    }

    /** Whether the first units have ended, and the rest waits for somebody. */
    public boolean hasBeenTried() {
        return waits && ended() >= tryFirst;
    }
}
