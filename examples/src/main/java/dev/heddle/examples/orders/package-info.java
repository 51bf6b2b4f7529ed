/**
 * A job that belongs to a row of the application's own: both are committed together, or neither. So are its end and the
 * job that follows it. Start at
 * {@link dev.heddle.examples.orders.OrderDesk}.
 */
@NullMarked
package dev.heddle.examples.orders;

import org.jspecify.annotations.NullMarked;
