package dev.heddle.budget;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How much of a budget is used now. Immutable.
 *
 * @param budget the budget
 * @param used how much was spent within its time
 * @param opensAt when the budget reopens if nothing more is spent; null if it is open, or never reopens
 */
public record BudgetStatus(Budget budget, BigDecimal used, @Nullable Instant opensAt) {

    private static final BigDecimal WARNING = new BigDecimal("0.8");

    /** How much is used, in three steps. */
    public enum State {
        /** Less than 80 % are used. */
        OPEN,
        /** At least 80 % are used. */
        WARNING,
        /** All is used: no more jobs may start. */
        CLOSED
    }

    /**
     * Calculates the status of a budget.
     *
     * @param spending all spending that may count, in any order
     */
    public static BudgetStatus of(Budget budget, Collection<Spend> spending, Instant now) {
        Measure measure = budget.measure();
        Instant start = now.minus(measure.window());
        List<Spend> counted = spending.stream()
                .filter(spend -> budget.scope().covers(spend) && measure.at(spend).isAfter(start))
                .sorted(Comparator.comparing(measure::at)).toList();
        BigDecimal used = counted.stream().map(measure::of).reduce(BigDecimal.ZERO, BigDecimal::add);
        return new BudgetStatus(budget, used, opensAt(budget, counted, used));
    }

    /** The oldest spending leaves the window first. */
    private static @Nullable Instant opensAt(Budget budget, List<Spend> oldestFirst, BigDecimal used) {
        BigDecimal left = used;
        Instant at = null;
        for (Spend spend : oldestFirst) {
            if (left.compareTo(budget.limit()) < 0) {
                break;
            }
            left = left.subtract(budget.measure().of(spend));
            at = budget.measure().at(spend).plus(budget.measure().window());
        }
        return left.compareTo(budget.limit()) < 0 ? at : null;
    }

    /** Returns how much is used, in three steps. */
    public State state() {
        if (used.compareTo(budget.limit()) >= 0) {
            return State.CLOSED;
        }
        return used.compareTo(budget.limit().multiply(WARNING)) >= 0 ? State.WARNING : State.OPEN;
    }

    /** Returns the status as text: {@code $1.05 of $1 in 24h for type:agent are used; room again at …}. */
    @Override
    public String toString() {
        String room = state() != State.CLOSED ? ""
                : opensAt == null ? "; closed until the limit is raised" : "; reopens at " + opensAt;
        return budget.measure().amount(used) + " used of " + budget + room;
    }
}
