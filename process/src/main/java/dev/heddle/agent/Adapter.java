package dev.heddle.agent;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What Heddle knows about one agent's command line. Besides the four that come with it, {@link Adapters} finds those that
 * a {@link java.util.ServiceLoader} does.
 */
public interface Adapter {

    /** As it stands in the configuration. */
    String name();

    /** The program to call, unless the configuration names another. */
    String program();

    /** Everything after the program. The prompt is on the standard input. */
    List<String> arguments(Assignment assignment);

    /** Patterns of the variables that it may see though they look like secrets, see {@code EnvironmentRules}. */
    Set<String> variables();

    /** Understands one run from its first line on. */
    EventReader reader();

    /** Whether the agent says when it is done. Where it does not, its exit code alone says how it ended. */
    default boolean saysWhenDone() {
        return true;
    }

    /** Whether the session's id is Heddle's to choose, so that it is known before the agent has said a word. */
    default boolean takesSessionId() {
        return false;
    }

    /** What an exit code means here that would be the same the next time; null for all others. */
    default @Nullable String hopeless(int exitCode) {
        return null;
    }
}
