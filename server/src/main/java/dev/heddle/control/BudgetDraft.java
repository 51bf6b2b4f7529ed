package dev.heddle.control;

import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;

/**
 * A budget to set, instead of the one with the same scope and measure.
 *
 * @param scope {@code pool}, {@code type:NAME} or {@code tag:NAME}; the pool where there is none
 * @param measure {@code usd/24h}, {@code usd/7d}, {@code usd/30d}, {@code starts/min} or {@code tokens/min}
 * @param limit the most; 0 for nothing at all
 */
public record BudgetDraft(@Nullable String scope, String measure, BigDecimal limit) {}
