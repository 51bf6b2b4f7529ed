package dev.heddle.log;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * What a reader of a log has seen: everything of the attempts before {@code floor}, and parts of later ones. Lines become
 * visible some time after they were written, so a time would not do.
 *
 * @param submitted whether the submission of the job was seen
 * @param floor the first attempt of which not everything was seen
 * @param attempts what was seen of the attempts from the floor
 * @param history the time of the last entry of the history that was seen; null if none was
 * @param sameTime how many entries with that time were seen
 */
record LogCursor(boolean submitted, int floor, Map<Integer, Seen> attempts, @Nullable Instant history, int sameTime) {

    static final LogCursor START = new LogCursor(false, 0, Map.of(), null, 0);

    /**
     * What was seen of an attempt.
     *
     * @param line the number of the last line
     */
    record Seen(long line, boolean started, boolean ended) {

        static final Seen NOTHING = new Seen(0, false, false);
    }

    Seen of(int attempt) {
        return attempts.getOrDefault(attempt, Seen.NOTHING);
    }

    /** Returns the cursor as text, which only {@link #parse} reads. */
    String text() {
        List<String> parts = new ArrayList<>();
        parts.add((submitted ? "s" : "n") + floor);
        parts.add(history == null ? "-" : history.toEpochMilli() + "x" + sameTime);
        new TreeMap<>(attempts).forEach((attempt, seen) -> parts.add(attempt + "x" + seen.line + "x"
                + ((seen.started ? 1 : 0) + (seen.ended ? 2 : 0))));
        return String.join("_", parts);
    }

    /**
     * Reads the text of a cursor.
     *
     * @throws IllegalArgumentException if it is none
     */
    static LogCursor parse(@Nullable String text) {
        if (text == null) {
            return START;
        }
        try {
            String[] parts = text.split("_", -1);
            Map<Integer, Seen> attempts = new TreeMap<>();
            for (int i = 2; i < parts.length; i++) {
                String[] seen = parts[i].split("x", -1);
                int flags = Integer.parseInt(seen[2]);
                attempts.put(Integer.parseInt(seen[0]),
                        new Seen(Long.parseLong(seen[1]), (flags & 1) != 0, (flags & 2) != 0));
            }
            String[] history = parts[1].split("x", -1);
            boolean none = parts[1].equals("-");
            return new LogCursor(parts[0].startsWith("s"), Integer.parseInt(parts[0].substring(1)), attempts,
                    none ? null : Instant.ofEpochMilli(Long.parseLong(history[0])),
                    none ? 0 : Integer.parseInt(history[1]));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("cursor '" + text + "' is not one that an earlier page returned", e);
        }
    }
}
