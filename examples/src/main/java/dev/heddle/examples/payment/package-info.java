/**
 * Work that must not be done twice, in a job that may well run twice. Start at
 * {@link dev.heddle.examples.payment.OrderHandler}.
 */
@NullMarked
package dev.heddle.examples.payment;

import org.jspecify.annotations.NullMarked;
