package dev.heddle.control.model;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A token to create.
 *
 * @param name says who or what uses it; no other token has it
 * @param role what its holder may do: {@code viewer}, {@code operator} or {@code admin}
 * @param expiresIn how long it is valid; null for as long as it is not revoked
 */
public record TokenDraft(String name, String role, @Nullable Duration expiresIn) {}
