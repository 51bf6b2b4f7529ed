package dev.heddle.conversation;

import java.util.List;

/** What one speaker said until another one did. */
public record Turn(Speaker speaker, List<Part> parts) {

    public Turn {
        parts = List.copyOf(parts);
    }
}
