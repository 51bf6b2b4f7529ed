/**
 * Stopping in the middle without losing or repeating anything: a handler that asks between two items, and an application
 * that hands its own shutdown on. Start at {@link dev.heddle.examples.newsletter.NewsletterHandler}.
 */
@NullMarked
package dev.heddle.examples.newsletter;

import org.jspecify.annotations.NullMarked;
