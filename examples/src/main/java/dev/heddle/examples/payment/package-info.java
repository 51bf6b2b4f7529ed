/**
 * A side effect that must not be repeated, in a job that may be retried. Start at
 * {@link dev.heddle.examples.payment.PaymentHandler}.
 */
@NullMarked
package dev.heddle.examples.payment;

import org.jspecify.annotations.NullMarked;
