/**
 * Limits on what jobs may spend.
 *
 * <p>A {@link dev.heddle.budget.Budget} limits spending within a moving window of time.
 * {@link dev.heddle.budget.BudgetStatus} calculates how much of it is used, and a store that implements
 * {@link dev.heddle.budget.SpendStore} remembers what was spent.
 */
@NullMarked
package dev.heddle.budget;

import org.jspecify.annotations.NullMarked;
