package dev.heddle.conversation;

import java.util.List;

/** A run, read whole. */
public record Conversation(Totals totals, List<Turn> turns) {

    public Conversation {
        turns = List.copyOf(turns);
    }
}
