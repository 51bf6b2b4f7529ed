package dev.heddle.agent;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Teaches Heddle one agent's command line: how to call it and how to parse its output. Heddle ships four adapters;
 * {@link Adapters} finds more through {@link java.util.ServiceLoader}.
 */
public interface Adapter {

    /** Returns the name that the configuration refers to, such as {@code claude}. */
    String name();

    /** Returns the program to call unless the configuration names another; empty if there is no default. */
    String program();

    /** Returns the arguments that follow the program. The agent gets its prompt on standard input. */
    List<String> arguments(Invocation invocation);

    /**
     * Returns patterns of environment variables that the agent may inherit although they look like secrets, see
     * {@link dev.heddle.process.environment.EnvironmentRules}.
     */
    Set<String> allowedVariables();

    /** Returns a new parser for the output of one run. */
    EventParser parser();

    /**
     * Tells whether the agent reports its own completion. If it does not, only its exit code tells how the run ended.
     */
    default boolean reportsCompletion() {
        return true;
    }

    /** Tells whether Heddle may choose the session's id, which makes it known before the agent prints anything. */
    default boolean acceptsSessionId() {
        return false;
    }

    /** Tells whether the agent can resume a session, see {@link Invocation#resumed}. */
    default boolean resumesSessions() {
        return true;
    }

    /** Returns an explanation if a retry after this exit code would fail in the same way; null otherwise. */
    default @Nullable String permanentFailure(int exitCode) {
        return null;
    }
}
