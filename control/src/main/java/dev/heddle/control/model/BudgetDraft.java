package dev.heddle.control.model;

import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;

/**
 * A budget to set. It replaces the budget with the same scope and measure.
 *
 * @param scope {@code pool}, {@code type:NAME} or {@code tag:NAME}; null for {@code pool}
 * @param measure {@code usd/24h}, {@code usd/7d}, {@code usd/30d}, {@code starts/min} or {@code tokens/min}
 * @param limit the most that may be spent; 0 for nothing at all
 */
public record BudgetDraft(@Nullable String scope, String measure, BigDecimal limit) {}
