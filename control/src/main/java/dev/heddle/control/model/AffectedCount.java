package dev.heddle.control.model;

/**
 * The number of items that an operation changed.
 *
 * @param count 0 if nothing matched
 */
public record AffectedCount(long count) {}
