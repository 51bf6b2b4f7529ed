package dev.heddle.control;

import java.math.BigDecimal;
import java.time.Instant;

import dev.heddle.budget.Standing;
import org.jspecify.annotations.Nullable;

/**
 * A budget and how it stands.
 *
 * @param opensAt when there is room again if nothing more is spent; null where there is room, or never will be
 * @param summary the same in words
 */
public record BudgetView(String scope, String measure, BigDecimal limit, BigDecimal used,
        Standing.State state,
        @Nullable Instant opensAt, String summary) {

    static BudgetView of(Standing standing) {
        return new BudgetView(standing.budget().scope().toString(), standing.budget().measure().toString(),
                standing.budget().limit(), standing.used(), standing.state(), standing.opensAt(),
                standing.toString());
    }
}
