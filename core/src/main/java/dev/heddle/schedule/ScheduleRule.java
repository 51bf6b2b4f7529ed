package dev.heddle.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.heddle.job.DurationText;
import dev.heddle.job.Limits;

import static java.util.Objects.requireNonNull;

/** When a schedule fires: by a cron expression, or at a fixed interval. Its text can be parsed again. */
public sealed interface ScheduleRule {

    /** The shortest interval. */
    Duration SHORTEST = Duration.ofSeconds(1);

    /**
     * Returns the rule of a cron expression with five fields (minute, hour, day of month, month, day of week), six (a
     * second before them), or a nickname such as {@code @daily}. If both days are restricted, a day that matches either
     * of them counts, as in Unix cron.
     *
     * @throws IllegalArgumentException if the expression is invalid, or never fires
     */
    static ScheduleRule cron(String expression) {
        return new Cron(requireNonNull(expression, "expression").strip(), CronExpression.parse(expression));
    }

    /**
     * Returns the rule of a fixed interval of at least a second. It fires at multiples of the interval since
     * 1970-01-01T00:00Z, so it does not drift: every 15 minutes means at :00, :15, :30 and :45 in UTC.
     *
     * @throws IllegalArgumentException if the interval is shorter than a second, or not in whole seconds
     */
    static ScheduleRule every(Duration interval) {
        return new Every(interval);
    }

    /**
     * Parses {@code every 15m} (with the units s, m, h, d), or a cron expression.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    static ScheduleRule parse(String text) {
        Matcher every = Every.TEXT.matcher(requireNonNull(text, "text").strip());
        if (every.matches()) {
            return every(Every.interval(every));
        }
        if (text.strip().toLowerCase(Locale.ROOT).startsWith("every")) {
            throw new IllegalArgumentException("invalid interval '" + Limits.quoted(text)
                    + "': write a whole number of at least 1 and one of the units s, m, h, d, such as 'every 15m'");
        }
        return cron(text);
    }

    /**
     * Returns the first instant after the given one at which the rule fires; empty if there is none.
     *
     * @param zone where the times of a cron expression are meant
     */
    Optional<Instant> nextAfter(Instant time, ZoneId zone);

    /** Returns the rule in words. */
    String inWords();

    /** A cron expression. */
    final class Cron implements ScheduleRule {

        private final String text;
        private final CronExpression expression;

        private Cron(String text, CronExpression expression) {
            this.text = text;
            this.expression = expression;
        }

        @Override
        public Optional<Instant> nextAfter(Instant time, ZoneId zone) {
            return new ZonedTimes(expression, zone).after(time);
        }

        @Override
        public String inWords() {
            return expression.inWords();
        }

        /** Returns whether it is the same expression, character by character. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Cron cron && cron.text.equals(text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }

        /** Returns the expression. */
        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * A fixed interval.
     *
     * @param interval the time from one run to the next, in whole seconds
     */
    record Every(Duration interval) implements ScheduleRule {

        private static final Pattern TEXT = Pattern.compile("(?i)every\\s+(\\d{1,9})\\s*([smhd])");

        /** Checks the interval. */
        public Every {
            if (interval.compareTo(SHORTEST) < 0 || !interval.equals(interval.truncatedTo(ChronoUnit.SECONDS))) {
                throw new IllegalArgumentException("interval must be at least 1 s, in whole seconds: "
                        + (interval.isNegative() ? "-" : "") + DurationText.of(interval.abs()));
            }
            Limits.positive("interval", interval);
        }

        private static Duration interval(Matcher text) {
            long number = Long.parseLong(text.group(1));
            return switch (text.group(2).toLowerCase(Locale.ROOT)) {
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                case "h" -> Duration.ofHours(number);
                default -> Duration.ofDays(number);
            };
        }

        @Override
        public Optional<Instant> nextAfter(Instant time, ZoneId zone) {
            long seconds = interval.toSeconds();
            return Optional.of(Instant.ofEpochSecond((Math.floorDiv(time.getEpochSecond(), seconds) + 1) * seconds));
        }

        @Override
        public String inWords() {
            return "every " + DurationText.of(interval);
        }

        /** Returns the interval in the largest unit that needs no fraction, such as {@code every 15m}. */
        @Override
        public String toString() {
            long seconds = interval.toSeconds();
            if (seconds % 86_400 == 0) {
                return "every " + seconds / 86_400 + "d";
            }
            if (seconds % 3_600 == 0) {
                return "every " + seconds / 3_600 + "h";
            }
            return seconds % 60 == 0 ? "every " + seconds / 60 + "m" : "every " + seconds + "s";
        }
    }
}
