package dev.heddle.cli.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import dev.heddle.cli.shell.Nearest;
import dev.heddle.cli.shell.Spans;
import org.slf4j.event.Level;

/**
 * What a value can be.
 *
 * @param name for people, such as "a span of time"
 */
record Kind<T>(String name, Reading<T> reading) {

    /** Throws an {@link IllegalArgumentException} that says what is wrong with the text. */
    @FunctionalInterface
    interface Reading<T> {
        T read(String text);
    }

    static final Kind<String> TEXT = new Kind<>("text", Kind::text);
    static final Kind<List<String>> NAMES = new Kind<>("names", Kind::names);
    static final Kind<Duration> SPAN = new Kind<>("time", Spans::parse);
    static final Kind<Integer> PORT = new Kind<>("port", text -> whole(text, 0, 65_535));
    static final Kind<Level> LEVEL = new Kind<>("level", Kind::level);

    /** A whole number from there on. */
    static Kind<Integer> count(int least) {
        return new Kind<>("number", text -> whole(text, least, Integer.MAX_VALUE));
    }

    private static String text(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("must not be empty");
        }
        return text;
    }

    private static List<String> names(String text) {
        return Arrays.stream(text(text).split(",", -1)).map(name -> text(name.strip())).toList();
    }

    private static int whole(String text, int least, int most) {
        long value;
        try {
            value = Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number", e);
        }
        if (value < least || value > most) {
            throw new IllegalArgumentException(most == Integer.MAX_VALUE && value < least
                    ? "must be at least " + least + ": " + value
                    : "must be from " + least + " to " + most + ": " + value);
        }
        return (int) value;
    }

    private static Level level(String text) {
        List<String> names = List.of("error", "warn", "info", "debug");
        String name = text.strip().toLowerCase(Locale.ROOT);
        if (!names.contains(name)) {
            throw new IllegalArgumentException("'" + text + "' is not a level"
                    + Nearest.hint(name, names, "; there are " + String.join(", ", names)));
        }
        return Level.valueOf(name.toUpperCase(Locale.ROOT));
    }
}
