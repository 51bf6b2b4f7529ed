/**
 * A job that belongs to a row of the application's own: both are committed together, or neither. Start at
 * {@link dev.heddle.examples.orders.OrderDesk}.
 */
@NullMarked
package dev.heddle.examples.orders;

import org.jspecify.annotations.NullMarked;
