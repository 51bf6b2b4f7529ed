package dev.heddle.budget;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What is used of a budget now.
 *
 * @param opensAt when there is room again if nothing more is spent; null where there is room, or never will be
 */
public record Standing(Budget budget, BigDecimal used, @Nullable Instant opensAt) {

    private static final BigDecimal WARNING = new BigDecimal("0.8");

    /** How bad it is. */
    public enum State {
        OPEN,
        /** At least 80 % are used. */
        WARNING,
        /** All of it is used: nothing more may start. */
        CLOSED
    }

    /** What has been spent within the budget's time, and counts. */
    public static Standing of(Budget budget, Collection<Spend> spending, Instant now) {
        Measure measure = budget.measure();
        Instant start = now.minus(measure.window());
        List<Spend> counted = spending.stream()
                .filter(spend -> budget.scope().covers(spend) && measure.at(spend).isAfter(start))
                .sorted(Comparator.comparing(measure::at)).toList();
        BigDecimal used = counted.stream().map(measure::of).reduce(BigDecimal.ZERO, BigDecimal::add);
        return new Standing(budget, used, opensAt(budget, counted, used));
    }

    /** What was spent first leaves the time first. */
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

    public State state() {
        if (used.compareTo(budget.limit()) >= 0) {
            return State.CLOSED;
        }
        return used.compareTo(budget.limit().multiply(WARNING)) >= 0 ? State.WARNING : State.OPEN;
    }

    /** For people: "$1.05 of $1 in 24h for type:agent are spent; room again at …". */
    @Override
    public String toString() {
        String room = state() != State.CLOSED ? ""
                : opensAt == null ? "; there will be no room until it is raised"
                        : "; room again at " + opensAt;
        return budget.measure().amount(used) + " of " + budget + " are used" + room;
    }
}
