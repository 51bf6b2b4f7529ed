package dev.heddle.budget;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Collectors;

import dev.heddle.job.Limits;

/** What a budget counts, and over which time. The time always ends now. */
public enum Measure {
    /** US dollars in the last 24 hours. */
    USD_24H("usd/24h", Duration.ofHours(24)),
    /** US dollars in the last 7 days. */
    USD_7D("usd/7d", Duration.ofDays(7)),
    /** US dollars in the last 30 days. */
    USD_30D("usd/30d", Duration.ofDays(30)),
    /** Attempts started in the last minute. */
    STARTS_PER_MINUTE("starts/min", Duration.ofMinutes(1)),
    /** Tokens used in the last minute. */
    TOKENS_PER_MINUTE("tokens/min", Duration.ofMinutes(1));

    private final String label;
    private final Duration window;

    Measure(String label, Duration window) {
        this.label = label;
        this.window = window;
    }

    /** Returns the time over which spending counts. */
    public Duration window() {
        return window;
    }

    BigDecimal of(Spend spend) {
        return switch (this) {
            case USD_24H, USD_7D, USD_30D -> spend.usd();
            case STARTS_PER_MINUTE -> BigDecimal.ONE;
            case TOKENS_PER_MINUTE -> BigDecimal.valueOf(spend.tokens());
        };
    }

    /** Returns when a spend counts as spent. */
    Instant at(Spend spend) {
        return this == STARTS_PER_MINUTE ? spend.startedAt() : spend.at();
    }

    String amount(BigDecimal value) {
        String number = value.stripTrailingZeros().toPlainString();
        return switch (this) {
            case USD_24H, USD_7D, USD_30D -> Usd.format(value);
            case STARTS_PER_MINUTE -> number + " starts";
            case TOKENS_PER_MINUTE -> number + " tokens";
        };
    }

    /** Returns the measure as text: {@code usd/24h}. */
    @Override
    public String toString() {
        return label;
    }

    /**
     * Parses the text that {@link #toString} returns.
     *
     * @throws IllegalArgumentException if there is no such measure
     */
    public static Measure of(String text) {
        return Arrays.stream(values()).filter(measure -> measure.label.equals(text)).findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("'" + Limits.quoted(text) + "' cannot be limited; there are "
                                + Arrays.stream(values()).map(Measure::toString).collect(Collectors.joining(", "))));
    }
}
