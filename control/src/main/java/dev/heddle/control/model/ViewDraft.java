package dev.heddle.control.model;

import org.jspecify.annotations.Nullable;

/**
 * A query to save under a name.
 *
 * @param name the name
 * @param q the query
 */
public record ViewDraft(@Nullable String name, @Nullable String q) {}
