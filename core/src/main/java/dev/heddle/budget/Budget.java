package dev.heddle.budget;

import java.math.BigDecimal;

/**
 * A limit on spending. Jobs that run when it is reached may finish, but no more jobs start until there is room again.
 * Immutable.
 *
 * @param scope whose spending counts
 * @param measure what is counted, and over which time
 * @param limit how much may be spent; 0 for nothing at all
 */
public record Budget(Scope scope, Measure measure, BigDecimal limit) {

    /** Checks the limit. */
    public Budget {
        if (limit.signum() < 0) {
            throw new IllegalArgumentException("a budget must not be negative: " + limit.toPlainString());
        }
        limit = limit.stripTrailingZeros();
    }

    /** Returns the budget as text: {@code $1 in 24h for type:agent}. */
    @Override
    public String toString() {
        return measure.amount(limit) + " in " + measure.toString().replaceFirst(".*/", "") + " for " + scope;
    }
}
