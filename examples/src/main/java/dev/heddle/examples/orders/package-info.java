/**
 * A job that is committed in the same transaction as a row of the application, and a sequel that is committed with the
 * end of that job. Start at {@link dev.heddle.examples.orders.OrderService}.
 */
@NullMarked
package dev.heddle.examples.orders;

import org.jspecify.annotations.NullMarked;
