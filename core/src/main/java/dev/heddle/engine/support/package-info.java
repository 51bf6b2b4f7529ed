/**
 * Small parts that every stage of the engine uses: wakeups, JSON, counters, events, service threads. Internal, not
 * API.
 */
@NullMarked
package dev.heddle.engine.support;

import org.jspecify.annotations.NullMarked;
