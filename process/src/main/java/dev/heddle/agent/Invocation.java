package dev.heddle.agent;

import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What an {@link Adapter} turns into the arguments of one call.
 *
 * @param session the id of the session; null if the agent chooses one
 * @param resumed whether the session exists already and should be resumed
 * @param model the model to use; null for the agent's default
 * @param limits limits that the agent itself enforces
 * @param extra additional arguments, to be passed on unchanged
 */
public record Invocation(@Nullable String session, boolean resumed, @Nullable String model, Limits limits,
        List<String> extra) {

    /**
     * Limits that the agent itself enforces, if its command line supports them.
     *
     * @param turns the maximum number of turns; null for no limit
     * @param usd the maximum cost; null for no limit
     */
    public record Limits(@Nullable Integer turns, @Nullable BigDecimal usd) {

        /** No limits. */
        public static final Limits NONE = new Limits(null, null);

        /** Checks that the limits are positive. */
        public Limits {
            if (turns != null && turns < 1) {
                throw new IllegalArgumentException("maximum turns must be at least 1: " + turns);
            }
            if (usd != null && usd.signum() <= 0) {
                throw new IllegalArgumentException("maximum USD must be more than 0: " + usd);
            }
        }
    }

    /**
     * The ids of all known agents consist of these characters. None starts with a dash, which an agent could mistake
     * for an option, and none is a path.
     */
    private static final Pattern SESSION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,199}");

    /** Checks that a resumed session has an id, and that the id is a valid one. */
    public Invocation {
        extra = List.copyOf(extra);
        if (resumed && session == null) {
            throw new IllegalArgumentException("a resumed session must have an id");
        }
        if (session != null && !isSessionId(session)) {
            throw new IllegalArgumentException("not the id of a session: '" + session + "'");
        }
    }

    /** Tells whether a text can be the id of a session: letters, digits and {@code . _ : -}, but no dash in front. */
    public static boolean isSessionId(String text) {
        return SESSION.matcher(text).matches();
    }
}
