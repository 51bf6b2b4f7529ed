package dev.heddle.cli.config;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.heddle.agent.Agent.OnNodeDeath;
import dev.heddle.cli.shell.DidYouMean;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.LogFormat;
import dev.heddle.command.WorkspaceSpec;
import dev.heddle.job.Affinity;
import dev.heddle.process.Isolation;
import org.slf4j.event.Level;

/**
 * The type of a configuration value.
 *
 * @param name name in the documentation, such as "time"
 */
record ValueType<T>(String name, Parser<T> parser) {

    /** Parses text; throws an {@link IllegalArgumentException} whose message says what is wrong. */
    @FunctionalInterface
    interface Parser<T> {
        T parse(String text);
    }

    /** An argument of a command line, which may be empty. */
    static final ValueType<String> WORD = new ValueType<>("text", word -> word);
    static final ValueType<String> TEXT = new ValueType<>("text", ValueType::text);
    static final ValueType<List<String>> NAMES = new ValueType<>("names", ValueType::names);
    static final ValueType<Duration> DURATION = new ValueType<>("time", Durations::parse);
    static final ValueType<Instant> INSTANT = new ValueType<>("instant", ValueType::instant);
    static final ValueType<Integer> WHOLE = new ValueType<>("number",
            text -> whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE));
    static final ValueType<Integer> PORT = new ValueType<>("port", text -> whole(text, 0, 65_535));
    static final ValueType<Level> LEVEL = new ValueType<>("level",
            text -> Level.valueOf(word(text, "a level", List.of("error", "warn", "info", "debug"))));
    static final ValueType<LogFormat> LOG_FORMAT = new ValueType<>("format",
            text -> LogFormat.valueOf(word(text, "a log format", List.of("text", "json"))));
    static final ValueType<Isolation> ISOLATION = new ValueType<>("isolation",
            text -> Isolation.valueOf(word(text, "an isolation level", List.of("namespace", "session", "tree"))));
    static final ValueType<OnNodeDeath> ON_NODE_DEATH = new ValueType<>("policy",
            text -> OnNodeDeath.valueOf(word(text, "a policy", List.of("adopt", "kill"))));
    static final ValueType<WorkspaceSpec.Inherit> INHERIT = new ValueType<>("inheritance", text -> WorkspaceSpec.Inherit
            .valueOf(word(text, "a set of variables", List.of("basic", "all"))));
    /** Whether processes of a type run in a sandbox. */
    static final ValueType<Boolean> TYPE_ISOLATION = new ValueType<>("isolation",
            text -> word(text, "an isolation of a type", List.of("process", "sandbox")).equals("SANDBOX"));
    static final ValueType<BigDecimal> AMOUNT = new ValueType<>("amount", ValueType::amount);
    static final ValueType<Affinity> AFFINITY = new ValueType<>("affinity", text -> Affinity
            .valueOf(word(text, "an affinity", Arrays.stream(Affinity.values()).map(Affinity::toString).toList())));
    static final ValueType<Boolean> FLAG = new ValueType<>("flag",
            text -> word(text, "a boolean", List.of("true", "false")).equals("TRUE"));
    static final ValueType<Long> SIZE = new ValueType<>("size", ValueType::size);
    private static final Pattern SIZE_PATTERN = Pattern.compile("(\\d{1,9})\\s*([kMGT]?)B", Pattern.CASE_INSENSITIVE);

    private static final BigDecimal MAX_AMOUNT = BigDecimal.TEN.pow(15);
    private static final int MAX_SCALE = 12;

    /** Returns the type of whole numbers of at least the given one. */
    static ValueType<Integer> count(int min) {
        return new ValueType<>("number", text -> whole(text, min, Integer.MAX_VALUE));
    }

    private static String text(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("must not be empty");
        }
        return text;
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text.strip());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a time; use ISO 8601, such as 2030-01-31T08:00:00Z",
                    e);
        }
    }

    private static List<String> names(String text) {
        return Arrays.stream(text(text).split(",", -1)).map(name -> text(name.strip())).toList();
    }

    private static int whole(String text, int min, int max) {
        long value;
        try {
            value = Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number", e);
        }
        if (value < min || value > max) {
            throw new IllegalArgumentException(max == Integer.MAX_VALUE && value < min
                    ? "must be at least " + min + ": " + value : "must be from " + min + " to " + max + ": " + value);
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
            throw new IllegalArgumentException("must not be negative: " + text.strip());
        }
        // An exponent could make a number of any length once it is written out.
        if (value.compareTo(MAX_AMOUNT) > 0 || value.scale() > MAX_SCALE) {
            throw new IllegalArgumentException("must be at most " + MAX_AMOUNT.toPlainString() + " and have at most "
                    + MAX_SCALE + " decimal places: " + text.strip());
        }
        return value;
    }

    /** Returns the matching name in upper case. */
    private static String word(String text, String what, List<String> names) {
        String name = text.strip().toLowerCase(Locale.ROOT);
        if (!names.contains(name)) {
            throw new IllegalArgumentException("'" + text + "' is not " + what
                    + DidYouMean.hint(name, names, "; use one of " + String.join(", ", names)));
        }
        return name.toUpperCase(Locale.ROOT);
    }

    private static long size(String text) {
        Matcher size = SIZE_PATTERN.matcher(text.strip());
        if (!size.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a size such as 512MB or 1GB");
        }
        int power = "KMGT".indexOf(size.group(2).toUpperCase(Locale.ROOT)) + (size.group(2).isEmpty() ? 0 : 1);
        return Long.parseLong(size.group(1)) << (10 * power);
    }
}
