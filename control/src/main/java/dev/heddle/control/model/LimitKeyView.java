package dev.heddle.control.model;

/**
 * How much of a key of a limit is in use.
 *
 * @param key the key; {@code *} if the limit covers its jobs as one
 * @param running how many jobs run, or are assigned to a worker
 * @param waiting how many jobs are queued
 */
public record LimitKeyView(String key, long running, long waiting) {}
