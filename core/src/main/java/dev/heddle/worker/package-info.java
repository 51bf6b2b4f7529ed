/**
 * What executes one job at a time: its states, its health and its history, the same for every kind of worker.
 * Start at {@link dev.heddle.worker.Lifecycle}.
 */
@NullMarked
package dev.heddle.worker;

import org.jspecify.annotations.NullMarked;
