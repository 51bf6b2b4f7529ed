package dev.heddle.control.model;

import dev.heddle.access.Role;

/**
 * Who the caller is, and what they may do.
 *
 * @param actor who, such as {@code token:ci} or {@code cli:ann}
 * @param role what they may do
 */
public record CallerView(String actor, Role role) {}
