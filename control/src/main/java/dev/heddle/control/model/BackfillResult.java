package dev.heddle.control.model;

/**
 * What a backfill did.
 *
 * @param made how many runs it made
 * @param existing how many had been made before
 */
public record BackfillResult(int made, int existing) {}
