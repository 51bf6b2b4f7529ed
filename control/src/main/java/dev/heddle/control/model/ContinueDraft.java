package dev.heddle.control.model;

import org.jspecify.annotations.Nullable;

/**
 * How to continue the work of an agent.
 *
 * @param comment what the agent should do next
 * @param id the id of the new job, which makes it safe to repeat the request; null for a new one
 */
public record ContinueDraft(String comment, @Nullable String id) {}
