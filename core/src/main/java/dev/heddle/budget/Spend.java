package dev.heddle.budget;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Set;

import dev.heddle.job.JobId;

/**
 * What an attempt has spent so far. Immutable.
 *
 * @param job the job
 * @param attempt the number of the attempt
 * @param type the name of the job's type
 * @param tags the tags of the job
 * @param startedAt when the attempt started
 * @param at when the amounts were reported
 * @param usd the US dollars spent
 * @param estimated whether some of that was calculated from a price list
 * @param tokens the tokens used
 */
public record Spend(JobId job, int attempt, String type, Set<String> tags, Instant startedAt, Instant at,
        BigDecimal usd, boolean estimated, long tokens) {

    /** Copies the tags. */
    public Spend {
        tags = Set.copyOf(tags);
        usd = usd.stripTrailingZeros();
    }
}
