package dev.heddle.control.model;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of the audit log, newest first.
 *
 * @param entries the entries
 * @param next where the next page starts; null if this is the last one
 */
public record AuditPage(List<AuditEntryView> entries, @Nullable String next) {}
