package dev.heddle.cli.shell;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.heddle.job.Limits;

/** Parses and prints durations in short form: {@code 500ms}, {@code 90s}, {@code 10m}, {@code 2h}, {@code 7d}. */
public final class Durations {

    private static final Pattern DURATION = Pattern.compile("(-?\\d+(?:\\.\\d+)?)\\s*(\\p{Alpha}*)");
    private static final List<String> UNITS = List.of("ms", "s", "m", "min", "h", "d");

    private Durations() {}

    /**
     * Parses a number with a unit.
     *
     * @throws IllegalArgumentException if the text is not such a duration, with a message that says why
     */
    public static Duration parse(String text) {
        Matcher match = DURATION.matcher(text.strip());
        if (!match.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration; use a number and a unit, such as 90s, 10m or 7d");
        }
        String unit = match.group(2);
        if (unit.isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + text + "' has no unit; use " + text.strip() + "s or " + text.strip() + "m, for example");
        }
        double number = Double.parseDouble(match.group(1));
        if (number < 0) {
            throw new IllegalArgumentException("'" + text + "' is negative; use zero or more");
        }
        double millis = number * unitMillis(unit, text);
        if (millis > Limits.DURATION.toMillis()) {
            throw new IllegalArgumentException("'" + text + "' is longer than 100 years");
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
            default -> throw new IllegalArgumentException(
                    "'" + text + "' has the unknown unit '" + unit + "'; use one of " + String.join(", ", UNITS));
        };
    }

    /** Returns a duration in its largest unit, rounded down, such as {@code 4s} or {@code 12m}. */
    public static String coarse(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + "m";
        }
        return seconds < 2 * 86_400 ? seconds / 3_600 + "h" : seconds / 86_400 + "d";
    }

    /** Returns a time relative to now, such as {@code 5m ago} or {@code in 2h}. */
    public static String relative(Instant time, Instant now) {
        return time.isAfter(now) ? "in " + coarse(Duration.between(now, time).plusMillis(999))
                : coarse(Duration.between(time, now)) + " ago";
    }
}
