package dev.heddle.control.http;

import org.jspecify.annotations.Nullable;

/**
 * The body of a request to remove a budget.
 *
 * @param scope {@code pool}, {@code type:NAME} or {@code tag:NAME}; null for {@code pool}
 * @param measure such as {@code usd/24h}
 */
public record BudgetNameBody(@Nullable String scope, String measure) {}
