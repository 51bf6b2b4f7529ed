package dev.heddle.budget;

import java.math.BigDecimal;

import dev.heddle.job.Limits;

/**
 * A limit on spending. Jobs that run when it is reached may finish, but no more jobs start until there is room again.
 * Immutable.
 *
 * @param scope whose spending counts
 * @param measure what is counted, and over which time
 * @param limit how much may be spent; 0 for nothing at all, 10^15 at most, with up to 9 decimal places
 */
public record Budget(Scope scope, Measure measure, BigDecimal limit) {

    private static final BigDecimal MOST = BigDecimal.TEN.pow(15);
    private static final int MAX_SCALE = 9;

    /** Checks the limit. */
    public Budget {
        if (limit.signum() < 0) {
            throw new IllegalArgumentException("a budget must not be negative: " + limit);
        }
        limit = limit.stripTrailingZeros();
        if (limit.compareTo(MOST) > 0 || limit.scale() > MAX_SCALE) {
            throw new IllegalArgumentException("a budget must be at most " + MOST.toPlainString()
                    + " and have at most " + MAX_SCALE + " decimal places: " + Limits.quoted(limit.toString()));
        }
    }

    /** Returns the budget as text: {@code $1 in 24h for type:agent}. */
    @Override
    public String toString() {
        return measure.amount(limit) + " in " + measure.toString().replaceFirst(".*/", "") + " for " + scope;
    }
}
