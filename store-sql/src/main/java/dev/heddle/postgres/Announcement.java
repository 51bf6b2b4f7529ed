package dev.heddle.postgres;

import java.util.Optional;

/**
 * A message between the nodes of a database, sent by NOTIFY.
 *
 * @param sender the store that sent it, which ignores its own announcements
 * @param about the node that is concerned; empty for all nodes
 */
record Announcement(Kind kind, String sender, String about) {

    enum Kind {
        /** There may be jobs to claim. */
        WORK,
        /** A job that a node runs was changed. */
        CHANGED,
        /** A schedule was changed. */
        SCHEDULES,
        /** There are events, or anyone who subscribes to them. */
        EVENTS,
        /** A store sends this to itself, to find out whether announcements arrive. */
        PROBE
    }

    String text() {
        return kind + " " + sender + " " + about;
    }

    /** Parses an announcement; returns empty for the text of another program, or of a version with more kinds. */
    static Optional<Announcement> parse(String text) {
        String[] words = text.split(" ", 3);
        if (words.length == 3) {
            for (Kind kind : Kind.values()) {
                if (kind.name().equals(words[0])) {
                    return Optional.of(new Announcement(kind, words[1], words[2]));
                }
            }
        }
        return Optional.empty();
    }
}
