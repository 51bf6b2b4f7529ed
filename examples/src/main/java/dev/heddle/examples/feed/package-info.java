/**
 * A poller that reschedules itself: one job reads a feed again and again, and carries how far it has read from one run
 * to the next. Start at {@link dev.heddle.examples.feed.FeedPoller}.
 */
@NullMarked
package dev.heddle.examples.feed;

import org.jspecify.annotations.NullMarked;
