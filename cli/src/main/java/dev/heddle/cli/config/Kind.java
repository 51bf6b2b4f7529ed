package dev.heddle.cli.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.heddle.agent.Agent.OnNodeDeath;
import dev.heddle.cli.shell.Nearest;
import dev.heddle.cli.shell.Spans;
import dev.heddle.job.Affinity;
import dev.heddle.process.Isolation;
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

    /** Words of a command line may be anything, also empty. */
    static final Kind<String> WORD = new Kind<>("text", word -> word);
    static final Kind<String> TEXT = new Kind<>("text", Kind::text);
    static final Kind<List<String>> NAMES = new Kind<>("names", Kind::names);
    static final Kind<Duration> SPAN = new Kind<>("time", Spans::parse);
    static final Kind<Integer> PORT = new Kind<>("port", text -> whole(text, 0, 65_535));
    static final Kind<Level> LEVEL = new Kind<>("level",
            text -> Level.valueOf(word(text, "a level", List.of("error", "warn", "info", "debug"))));
    static final Kind<Isolation> ISOLATION = new Kind<>("isolation",
            text -> Isolation
                    .valueOf(word(text, "a way to hold processes", List.of("namespace", "session", "tree"))));
    static final Kind<OnNodeDeath> ON_NODE_DEATH = new Kind<>("policy",
            text -> OnNodeDeath
                    .valueOf(word(text, "what becomes of a run whose node ends", List.of("adopt", "kill"))));
    static final Kind<BigDecimal> AMOUNT = new Kind<>("amount", Kind::amount);
    static final Kind<Affinity> AFFINITY = new Kind<>("affinity",
            text -> Affinity.valueOf(word(text, "a way to keep to a worker",
                    Arrays.stream(Affinity.values()).map(Affinity::toString).toList())));
    static final Kind<Boolean> YES_OR_NO = new Kind<>("flag",
            text -> word(text, "true or false", List.of("true", "false")).equals("TRUE"));
    static final Kind<Long> SIZE = new Kind<>("size", Kind::size);
    private static final Pattern SIZES = Pattern.compile("(\\d{1,9})\\s*([kMGT]?)B",
            Pattern.CASE_INSENSITIVE);

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

    private static BigDecimal amount(String text) {
        BigDecimal value;
        try {
            value = new BigDecimal(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a number", e);
        }
        if (value.signum() < 0) {
            throw new IllegalArgumentException("must not be below zero: " + text.strip());
        }
        return value;
    }

    /** One of these, in capital letters. */
    private static String word(String text, String what, List<String> names) {
        String name = text.strip().toLowerCase(Locale.ROOT);
        if (!names.contains(name)) {
            throw new IllegalArgumentException("'" + text + "' is not " + what
                    + Nearest.hint(name, names, "; there are " + String.join(", ", names)));
        }
        return name.toUpperCase(Locale.ROOT);
    }

    private static long size(String text) {
        Matcher size = SIZES.matcher(text.strip());
        if (!size.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a size; it looks like 512MB or 1GB");
        }
        int power = "KMGT".indexOf(size.group(2).toUpperCase(Locale.ROOT))
                + (size.group(2).isEmpty() ? 0 : 1);
        return Long.parseLong(size.group(1)) << (10 * power);
    }
}
