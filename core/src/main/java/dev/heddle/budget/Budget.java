package dev.heddle.budget;

import java.math.BigDecimal;

/**
 * A limit. What runs when it is reached may finish; nothing more is started until there is room again.
 *
 * @param limit 0 for nothing at all
 */
public record Budget(Scope scope, Measure measure, BigDecimal limit) {

    public Budget {
        if (limit.signum() < 0) {
            throw new IllegalArgumentException("a budget must not be below zero: " + limit.toPlainString());
        }
        limit = limit.stripTrailingZeros();
    }

    @Override
    public String toString() {
        return measure.amount(limit) + " in " + measure.toString().replaceFirst(".*/", "") + " for " + scope;
    }
}
