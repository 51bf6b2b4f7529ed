package dev.heddle.log;

import java.time.Instant;

import org.slf4j.event.Level;

/**
 * A line of a job's log. Immutable.
 *
 * @param attempt the attempt that it belongs to; 0 for an event that belongs to none
 * @param number its place in the log of its attempt, from 1; lines that were dropped leave gaps. 0 for an event
 * @param at when it was written, by the clock of its node
 * @param level how important it is; output of processes and most events have INFO
 * @param stream where it comes from
 * @param text the text, which may have several lines and control characters
 */
public record LogLine(int attempt, long number, Instant at, Level level, LogStream stream, String text) {}
