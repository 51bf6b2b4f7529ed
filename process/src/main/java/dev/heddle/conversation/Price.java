package dev.heddle.conversation;

import java.math.BigDecimal;

/** The price of a million tokens of each kind, in USD. */
public record Price(BigDecimal input, BigDecimal cacheWrite, BigDecimal cacheRead, BigDecimal output) {

    /** Checks that no price is negative. */
    public Price {
        for (BigDecimal usd : new BigDecimal[]{input, cacheWrite, cacheRead, output}) {
            if (usd.signum() < 0) {
                throw new IllegalArgumentException("a price must not be negative: " + usd);
            }
        }
    }

    BigDecimal costOf(Tokens tokens) {
        return times(input, tokens.input()).add(times(cacheWrite, tokens.cacheWrite()))
                .add(times(cacheRead, tokens.cacheRead())).add(times(output, tokens.output())).movePointLeft(6);
    }

    private static BigDecimal times(BigDecimal usd, long tokens) {
        return usd.multiply(BigDecimal.valueOf(tokens));
    }
}
