package dev.heddle.budget;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Money as people read it: {@code $0.10}. */
public final class Usd {

    private static final BigDecimal CENT = new BigDecimal("0.01");

    private Usd() {}

    /** The same amount without zeros at its end, as JSON has it. */
    public static BigDecimal plain(BigDecimal usd) {
        BigDecimal bare = usd.stripTrailingZeros();
        return bare.scale() < 0 ? bare.setScale(0) : bare;
    }

    /** Cents, and fractions of them only where there is less than one. */
    public static String shown(BigDecimal usd) {
        boolean small = usd.signum() > 0 && usd.compareTo(CENT) < 0;
        return "$" + usd.setScale(small ? 4 : 2, RoundingMode.HALF_UP).toPlainString();
    }
}
