package dev.heddle.conversation;

import java.math.BigDecimal;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PricesTest {

    private static final Price EXPENSIVE = new Price(new BigDecimal("10"), new BigDecimal("12.5"), BigDecimal.ONE,
            new BigDecimal("50"));
    private static final Price CHEAP = new Price(BigDecimal.ONE, BigDecimal.ONE, BigDecimal.ZERO, BigDecimal.TWO);

    @Test
    void theLongestMatchingPrefixApplies() {
        Prices prices = new Prices("1", Map.of("gpt-5", EXPENSIVE, "gpt-5-mini", CHEAP));
        assertThat(prices.find("gpt-5-mini-2025-08-07")).contains(CHEAP);
        assertThat(prices.find("gpt-5-codex")).contains(EXPENSIVE);
        assertThat(prices.find("o3")).isEmpty();
    }

    @Test
    void everyKindOfTokenHasItsOwnPrice() {
        Prices prices = new Prices("2026-11", Map.of("m", EXPENSIVE));
        assertThat(prices.estimate(Map.of("m", new Tokens(1_000_000, 100_000, 10_000, 1_000))))
                .isEqualTo(new Cost(new BigDecimal("11.31"), Cost.Basis.ESTIMATED, "2026-11"));
    }

    @Test
    void doesNotEstimateIfAModelIsMissing() {
        Prices prices = new Prices("1", Map.of("m", EXPENSIVE));
        assertThat(prices.estimate(Map.of("m", new Tokens(1, 0, 0, 0), "n", new Tokens(1, 0, 0, 0)))).isNull();
    }

    @Test
    void customPricesReplaceTheStandardOnes() {
        Prices prices = Prices.standard().with("house-1", Map.of("claude-sonnet-4", CHEAP));
        assertThat(prices.version()).isEqualTo("house-1");
        assertThat(prices.find("claude-sonnet-4-5")).contains(CHEAP);
        assertThat(prices.find("gemini-2.5-pro")).isPresent();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Price(new BigDecimal("-1"), BigDecimal.ONE, BigDecimal.ONE, BigDecimal.ONE))
                .withMessageContaining("must not be negative");
    }
}
