package dev.heddle.limit;

/**
 * How much of a key is in use.
 *
 * @param limit the name of the limit
 * @param key the key
 * @param running how many of its jobs a node holds, which take its slots
 * @param waiting how many of its jobs are QUEUED
 */
public record LimitUsage(String limit, String key, long running, long waiting) {}
