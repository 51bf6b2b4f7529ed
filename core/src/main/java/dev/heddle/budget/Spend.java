package dev.heddle.budget;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Set;

import dev.heddle.job.JobId;

/**
 * What an attempt has spent so far.
 *
 * @param at when this was known
 * @param estimated whether some of it was worked out from prices
 */
public record Spend(JobId job, int attempt, String type, Set<String> tags, Instant startedAt, Instant at,
        BigDecimal usd,
        boolean estimated, long tokens) {

    public Spend {
        tags = Set.copyOf(tags);
        usd = usd.stripTrailingZeros();
    }
}
