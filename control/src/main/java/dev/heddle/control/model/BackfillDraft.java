package dev.heddle.control.model;

import java.time.Instant;

/**
 * Which past runs of a schedule to make.
 *
 * @param from the first time
 * @param to the last time, which must not be in the future
 */
public record BackfillDraft(Instant from, Instant to) {}
