package dev.heddle.conversation;

import java.util.Map;

import dev.heddle.conversation.Event.RateLimit;
import dev.heddle.conversation.Event.Result;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a run. The field names are part of the JSON that the API returns.
 *
 * @param session the session to resume; null if the agent did not report one
 * @param model the model; null if unknown
 * @param tokens the tokens that this run used
 * @param byModel the tokens reported along the way, by model; may be fewer than {@code tokens}, see {@link
 *             RunningTotals}
 * @param ofSession the tokens of the whole session so far, the baseline for its next run; null if the agent does not
 *             count by session
 * @param cost the cost; null if neither the agent nor the price table knows it
 * @param result what the agent reported at its end; null if it reported nothing
 * @param answer the agent's last message, used if the result has no text
 * @param limited the last rate limit that the vendor reported; null if there was none
 * @param events the number of events
 */
public record Totals(@Nullable String session, @Nullable String model, Tokens tokens, Map<String, Tokens> byModel,
        @Nullable Tokens ofSession, @Nullable Cost cost, @Nullable Result result, String answer,
        @Nullable RateLimit limited, long events) {

    /** Copies the map. */
    public Totals {
        byModel = Map.copyOf(byModel);
    }

    /** Returns the text of the result, or the agent's last message if the result has none. */
    public String text() {
        return result != null && result.text() != null ? result.text() : answer;
    }
}
