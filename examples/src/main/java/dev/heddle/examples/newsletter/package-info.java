/**
 * Graceful shutdown: a handler that checks between two items whether to stop, and an application that closes its pool
 * on SIGTERM. Nothing is lost or repeated. Start at {@link dev.heddle.examples.newsletter.NewsletterHandler}.
 */
@NullMarked
package dev.heddle.examples.newsletter;

import org.jspecify.annotations.NullMarked;
