package dev.heddle.postgres;

import java.util.Optional;

/**
 * What nodes tell each other by NOTIFY.
 *
 * @param about the node that should look; empty for everybody
 * @param sender the store that sent it, which has no need to hear itself
 */
record Message(Kind kind, String sender, String about) {

    enum Kind {
        /** There may be something to claim. */
        WORK,
        /** Something that a node runs was changed. */
        CHANGED,
        /** A store asks itself whether messages arrive. */
        PROBE
    }

    String text() {
        return kind + " " + sender + " " + about;
    }

    /** Empty for what is not ours, or of a version that knows more kinds. */
    static Optional<Message> parse(String text) {
        String[] words = text.split(" ", 3);
        if (words.length == 3) {
            for (Kind kind : Kind.values()) {
                if (kind.name().equals(words[0])) {
                    return Optional.of(new Message(kind, words[1], words[2]));
                }
            }
        }
        return Optional.empty();
    }
}
