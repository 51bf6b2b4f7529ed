package dev.heddle.conversation;

import java.math.BigDecimal;

import dev.heddle.budget.Usd;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a run.
 *
 * @param usd the amount, without trailing zeros
 * @param basis how the amount is known
 * @param prices the version of the price table behind an estimate; null if the agent reported the cost
 */
public record Cost(BigDecimal usd, Basis basis, @Nullable String prices) {

    /** How a cost is known. */
    public enum Basis {
        /** The agent reported it. */
        REPORTED,
        /** Tokens multiplied by the price table. */
        ESTIMATED
    }

    /** Removes trailing zeros: equal amounts are equal costs. */
    public Cost {
        usd = Usd.normalize(usd);
    }

    static Cost reported(BigDecimal usd) {
        return new Cost(usd, Basis.REPORTED, null);
    }

    @Override
    public String toString() {
        return Usd.format(usd) + (basis == Basis.REPORTED ? " (reported)" : " (estimated)");
    }
}
