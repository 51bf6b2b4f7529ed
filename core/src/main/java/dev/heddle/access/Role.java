package dev.heddle.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

import dev.heddle.job.Limits;

/** What a caller may do. Each role may do what the roles before it may. */
public enum Role {
    /** Reads everything except tokens and the audit log. */
    VIEWER,
    /** Submits jobs, and acts on jobs, queues, dead letters, batches and sessions; pauses and triggers schedules. */
    OPERATOR,
    /** Does everything: tokens, budgets, limits, schedules, workers, draining, command lines. */
    ADMIN;

    /** Returns whether a caller with this role may do what needs another role. */
    public boolean includes(Role needed) {
        return compareTo(needed) >= 0;
    }

    /** Returns the name in lower case, as commands and configurations have it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the role with a name, in any case.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Role parse(String text) {
        return Arrays.stream(values()).filter(role -> role.name().equalsIgnoreCase(text)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown role '" + Limits.quoted(text)
                        + "'; roles are "
                        + Arrays.stream(values()).map(Role::text).collect(Collectors.joining(", "))));
    }
}
