package dev.heddle.control;

import org.jspecify.annotations.Nullable;

/** Why somebody asks for something; kept in the history of the job. */
public record Reason(@Nullable String reason) {}
