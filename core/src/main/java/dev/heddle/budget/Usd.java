package dev.heddle.budget;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Formats amounts of US dollars. */
public final class Usd {

    private static final BigDecimal CENT = new BigDecimal("0.01");

    private Usd() {}

    /** Returns an amount without trailing zeros, as JSON shows it. */
    public static BigDecimal normalize(BigDecimal usd) {
        BigDecimal bare = usd.stripTrailingZeros();
        return bare.scale() < 0 ? bare.setScale(0) : bare;
    }

    /** Returns an amount as text, such as {@code $0.10}. Amounts below one cent have four digits. */
    public static String format(BigDecimal usd) {
        boolean small = usd.signum() > 0 && usd.compareTo(CENT) < 0;
        return "$" + usd.setScale(small ? 4 : 2, RoundingMode.HALF_UP).toPlainString();
    }
}
