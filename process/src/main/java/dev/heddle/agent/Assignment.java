package dev.heddle.agent;

import java.math.BigDecimal;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What an agent is told besides the prompt.
 *
 * @param session the id of the session; null where the agent chooses one
 * @param resumed whether the session is there already, and is to go on
 * @param model null for the agent's own choice
 * @param extra further arguments, as they are
 */
public record Assignment(@Nullable String session, boolean resumed, @Nullable String model, Limits limits,
        List<String> extra) {

    /** Bounds that the agent itself keeps, where its command line has them; null for none. */
    public record Limits(@Nullable Integer turns, @Nullable BigDecimal usd) {
        public static final Limits NONE = new Limits(null, null);

        public Limits {
            if (turns != null && turns < 1) {
                throw new IllegalArgumentException("the most turns must be at least 1: " + turns);
            }
            if (usd != null && usd.signum() <= 0) {
                throw new IllegalArgumentException("the most USD must be more than zero: " + usd);
            }
        }
    }

    public Assignment {
        extra = List.copyOf(extra);
        if (resumed && session == null) {
            throw new IllegalArgumentException("a session that goes on must have an id");
        }
    }
}
