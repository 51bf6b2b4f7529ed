package dev.heddle.control.model;

import org.jspecify.annotations.Nullable;

/**
 * How far a job is.
 *
 * @param current how much is done
 * @param total how much there is to do; null or 0 if unknown
 * @param message a short text for people; null for none
 */
public record ProgressBody(@Nullable Long current, @Nullable Long total, @Nullable String message) {}
