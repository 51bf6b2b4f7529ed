package dev.heddle.conversation;

import java.util.List;

/**
 * A complete run: its turns, and its totals.
 *
 * @param totals tokens, cost and result
 * @param turns the turns in order
 */
public record Conversation(Totals totals, List<Turn> turns) {

    /** Copies the turns. */
    public Conversation {
        turns = List.copyOf(turns);
    }
}
