package dev.heddle.cli.verb;

import java.math.BigDecimal;
import java.math.RoundingMode;

import org.jspecify.annotations.Nullable;

/** How money looks to people. */
final class Money {

    private Money() {}

    /** Cents, and fractions of them only where there is less than one. */
    static String shown(BigDecimal usd) {
        boolean small = usd.signum() > 0 && usd.compareTo(new BigDecimal("0.01")) < 0;
        return "$" + usd.setScale(small ? 4 : 2, RoundingMode.HALF_UP).toPlainString();
    }

    static String shown(@Nullable BigDecimal usd, boolean estimated) {
        return usd == null ? "unknown" : shown(usd) + (estimated ? " (estimated)" : " (reported)");
    }
}
