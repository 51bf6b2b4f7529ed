package dev.heddle.control.model;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A job to submit again.
 *
 * @param payload the payload of the new job; null for that of the old one
 * @param id the id of the new job, which makes it safe to repeat the request; null for a new one
 */
public record ResubmitDraft(@Nullable JsonNode payload, @Nullable String id) {}
