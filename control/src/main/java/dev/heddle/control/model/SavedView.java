package dev.heddle.control.model;

import java.time.Instant;

/**
 * A query that was saved under a name.
 *
 * @param name the name
 * @param q the query
 * @param actor who saved it
 * @param savedAt when
 */
public record SavedView(String name, String q, String actor, Instant savedAt) {}
