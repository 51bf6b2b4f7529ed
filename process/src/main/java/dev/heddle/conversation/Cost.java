package dev.heddle.conversation;

import java.math.BigDecimal;

import dev.heddle.budget.Usd;
import org.jspecify.annotations.Nullable;

/**
 * What a run cost.
 *
 * @param prices the version of the price table it was estimated with; null where the agent said it
 */
public record Cost(BigDecimal usd, Basis basis, @Nullable String prices) {

    /** How it is known. */
    public enum Basis {
        /** The agent's own word. */
        REPORTED,
        /** Tokens times prices. */
        ESTIMATED
    }

    /** However many zeros it was written with. */
    public Cost {
        usd = Usd.plain(usd);
    }

    static Cost reported(BigDecimal usd) {
        return new Cost(usd, Basis.REPORTED, null);
    }

    @Override
    public String toString() {
        return Usd.shown(usd)
                + (basis == Basis.REPORTED ? " (reported)" : " (estimated)");
    }
}
