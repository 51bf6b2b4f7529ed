package dev.heddle.budget;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** An optional capability of a store: remembers budgets and spending. Safe for use by many threads. */
public interface SpendStore {

    /** How long spending is remembered: a day longer than the longest budget looks back. It outlives its job. */
    Duration RETENTION = Duration.ofDays(31);

    /** Records what an attempt has spent so far, replacing what was recorded for it before. */
    void record(Spend spend);

    /** Returns all spending that was reported at a time or later, oldest first. */
    List<Spend> spentSince(Instant since);

    /** Deletes all spending that was reported before a time. */
    void deleteSpendingBefore(Instant before);

    /** Returns all budgets, in a fixed order. */
    List<Budget> budgets();

    /** Sets budgets, replacing those with the same scope and measure. */
    void setBudgets(List<Budget> budgets);

    /** Removes the budget with this scope and measure. Returns false if there is none. */
    boolean removeBudget(Scope scope, Measure measure);
}
