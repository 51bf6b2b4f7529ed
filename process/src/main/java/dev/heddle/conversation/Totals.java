package dev.heddle.conversation;

import java.util.Map;

import dev.heddle.conversation.Event.Finished;
import dev.heddle.conversation.Event.Limited;
import org.jspecify.annotations.Nullable;

/**
 * A run in figures.
 *
 * @param session what to resume it by; null where the agent did not say
 * @param tokens what this run used
 * @param byModel the same as counted along the way; may be less, see {@link Tally}
 * @param ofSession what the session used so far, where the agent counts so; the next run of it starts counting there
 * @param cost null where neither the agent nor the price table knows
 * @param result what the agent said at its end; null where it did not
 * @param answer its last words, where the result has none
 * @param limited the last limit the vendor spoke of
 */
public record Totals(@Nullable String session, @Nullable String model, Tokens tokens,
        Map<String, Tokens> byModel,
        @Nullable Tokens ofSession, @Nullable Cost cost, @Nullable Finished result, String answer,
        @Nullable Limited limited, long events) {

    public Totals {
        byModel = Map.copyOf(byModel);
    }

    /** The result's own text, or else the agent's last words. */
    public String text() {
        return result != null && result.text() != null ? result.text() : answer;
    }
}
