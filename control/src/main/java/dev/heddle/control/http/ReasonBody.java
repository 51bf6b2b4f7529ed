package dev.heddle.control.http;

import org.jspecify.annotations.Nullable;

/**
 * The body of a request that may give a reason.
 *
 * @param reason why the caller asks for it, kept in the history of the job; null for a default
 */
public record ReasonBody(@Nullable String reason) {}
