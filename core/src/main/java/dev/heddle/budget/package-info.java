/**
 * How much jobs may spend. A {@link dev.heddle.budget.Budget} limits what is spent within a time that moves along;
 * {@link dev.heddle.budget.Standing} says, purely, what is used of it; a store that is a
 * {@link dev.heddle.budget.SpendBook} remembers what was spent.
 */
@NullMarked
package dev.heddle.budget;

import org.jspecify.annotations.NullMarked;
