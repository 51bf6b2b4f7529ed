package dev.heddle.conversation;

import java.util.List;

/**
 * Everything one speaker contributed until the next one took over.
 *
 * @param speaker the origin of the turn
 * @param parts the pieces in order
 */
public record Turn(Speaker speaker, List<Part> parts) {

    /** Copies the parts. */
    public Turn {
        parts = List.copyOf(parts);
    }
}
