package dev.heddle.control.model;

import org.jspecify.annotations.Nullable;

/**
 * What people say about failures that have the same fingerprint.
 *
 * @param note what they know about it; null for no change, blank to remove the note
 * @param assignee who takes care of it; null for no change, blank for nobody
 */
public record ErrorNote(@Nullable String note, @Nullable String assignee) {}
