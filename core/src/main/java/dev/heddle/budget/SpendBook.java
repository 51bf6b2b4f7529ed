package dev.heddle.budget;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A store that remembers what was spent, and how much may be. */
public interface SpendBook {

    /** How long spending is remembered: a day more than the longest budget looks back. It outlives its job. */
    Duration KEPT = Duration.ofDays(31);

    /** Remembers it, instead of what the same attempt had spent before. */
    void record(Spend spend);

    /** All spending that was recorded at that time or later, oldest first. */
    List<Spend> spentSince(Instant since);

    /** Forgets what was spent before then. */
    void forgetSpending(Instant before);

    /** All budgets that were set, in a fixed order. */
    List<Budget> budgets();

    /** Sets budgets, instead of those of the same scope and measure. */
    void setBudgets(List<Budget> budgets);
}
