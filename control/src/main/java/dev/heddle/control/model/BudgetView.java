package dev.heddle.control.model;

import java.math.BigDecimal;
import java.time.Instant;

import dev.heddle.budget.BudgetStatus;
import org.jspecify.annotations.Nullable;

/**
 * A budget and its status.
 *
 * @param scope the jobs it limits, such as {@code type:NAME}
 * @param measure the unit and the period, such as {@code usd/24h}
 * @param limit the most that may be spent
 * @param used what has been spent
 * @param state whether jobs may start
 * @param opensAt when jobs may start again if nothing more is spent; null if they may start now or never
 * @param summary the status in words
 */
public record BudgetView(String scope, String measure, BigDecimal limit, BigDecimal used, BudgetStatus.State state,
        @Nullable Instant opensAt, String summary) {}
