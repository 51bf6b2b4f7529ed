/**
 * The events of nodes. {@link dev.heddle.event.EventSource} numbers the events of one node, and
 * {@link dev.heddle.event.EventStore} passes them to other nodes while anyone subscribes to them.
 */
@NullMarked
package dev.heddle.event;

import org.jspecify.annotations.NullMarked;
