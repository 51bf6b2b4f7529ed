/**
 * Workers, which run one job at a time: their states, their health and their history.
 *
 * <p>Start with {@link dev.heddle.worker.Workforce}, the SPI for other kinds of workers than threads, and
 * with {@link dev.heddle.worker.Lifecycle}, the state machine that every worker follows.
 */
@NullMarked
package dev.heddle.worker;

import org.jspecify.annotations.NullMarked;
