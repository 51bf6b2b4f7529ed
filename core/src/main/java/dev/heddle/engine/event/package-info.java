/**
 * Numbers the events of this node and publishes them in the store while anyone subscribes to them. Start with
 * {@link dev.heddle.engine.event.EventPublication}.
 */
@NullMarked
package dev.heddle.engine.event;

import org.jspecify.annotations.NullMarked;
