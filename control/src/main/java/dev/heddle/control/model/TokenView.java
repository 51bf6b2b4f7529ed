package dev.heddle.control.model;

import java.time.Instant;

import dev.heddle.access.Role;
import org.jspecify.annotations.Nullable;

/**
 * A token, without its secret.
 *
 * @param name says who or what uses it
 * @param role what its holder may do
 * @param hint how the secret starts
 * @param createdBy who created it
 * @param createdAt when it was created
 * @param expiresAt from when on it is refused; null if it does not expire
 * @param expired whether it is refused by now
 * @param usedAt when it was last used, a minute late at most; null if never
 */
public record TokenView(String name, Role role, String hint, String createdBy, Instant createdAt,
        @Nullable Instant expiresAt, boolean expired, @Nullable Instant usedAt) {}
