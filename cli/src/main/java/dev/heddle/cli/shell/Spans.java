package dev.heddle.cli.shell;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Spans of time as people write and read them: {@code 500ms}, {@code 90s}, {@code 10m}, {@code 2h}, {@code 7d}. */
public final class Spans {

    private static final Pattern SPAN = Pattern.compile("(-?\\d+(?:\\.\\d+)?)\\s*(\\p{Alpha}*)");
    private static final List<String> UNITS = List.of("ms", "s", "m", "min", "h", "d");

    private Spans() {}

    /**
     * Reads a number with a unit.
     *
     * @throws IllegalArgumentException that says what is wrong with it
     */
    public static Duration parse(String text) {
        Matcher span = SPAN.matcher(text.strip());
        if (!span.matches()) {
            throw new IllegalArgumentException(
                    "'" + text
                            + "' is not a span of time; write a number and a unit, such as 90s, 10m or 7d");
        }
        String unit = span.group(2);
        if (unit.isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + text + "' has no unit; write " + text.strip() + "s, " + text.strip() + "m, …");
        }
        double number = Double.parseDouble(span.group(1));
        if (number < 0) {
            throw new IllegalArgumentException("'" + text + "' is negative; give a span of zero or more");
        }
        double millis = number * unitMillis(unit, text);
        if (millis > Duration.ofDays(36_500).toMillis()) {
            throw new IllegalArgumentException("'" + text + "' is more than a hundred years");
        }
        return Duration.ofMillis(Math.round(millis));
    }

    private static long unitMillis(String unit, String text) {
        return switch (unit.toLowerCase(Locale.ROOT)) {
            case "ms" -> 1;
            case "s", "sec" -> 1_000;
            case "m", "min" -> 60_000;
            case "h" -> 3_600_000;
            case "d" -> 86_400_000;
            default -> throw new IllegalArgumentException("'" + text + "' has the unknown unit '" + unit
                    + "'; units are " + String.join(", ", UNITS));
        };
    }

    /** In one unit, rounded down, short: {@code 4s}, {@code 12m}, {@code 3h}, {@code 5d}. */
    public static String coarse(Duration span) {
        long seconds = Math.max(0, span.toSeconds());
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + "m";
        }
        return seconds < 2 * 86_400 ? seconds / 3_600 + "h" : seconds / 86_400 + "d";
    }

    /** How long ago, or in how long: {@code 5m ago}, {@code in 2h}. */
    public static String relative(Instant time, Instant now) {
        return time.isAfter(now) ? "in " + coarse(Duration.between(now, time).plusMillis(999))
                : coarse(Duration.between(time, now)) + " ago";
    }
}
