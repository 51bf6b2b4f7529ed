package dev.heddle.query;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.heddle.job.Limits;

/** Reads times and lengths of time: {@code 2h}, {@code 1h30m}, {@code 2026-03-01}, {@code 2026-03-01T12:00Z}. */
final class TimeText {

    private static final Pattern PART = Pattern.compile("(\\d{1,12})(ms|s|min|m|h|d|w)", Pattern.CASE_INSENSITIVE);
    private static final int FIRST_YEAR = 1970;
    private static final int LAST_YEAR = 9999;

    private TimeText() {}

    /**
     * The time that a text means.
     *
     * @param start the first moment
     * @param end the first moment after it
     * @param ago whether the text says how long ago it was
     */
    record Span(Instant start, Instant end, boolean ago) {}

    static Optional<Duration> duration(String text) {
        Matcher part = PART.matcher(text);
        Duration sum = Duration.ZERO;
        int end = 0;
        while (part.find() && part.start() == end) {
            end = part.end();
            long number = Long.parseLong(part.group(1));
            Duration unit = unit(part.group(2));
            if (number > Limits.DURATION.dividedBy(unit)) {
                return Optional.empty();
            }
            sum = sum.plus(unit.multipliedBy(number));
        }
        return end == 0 || end < text.length() || sum.compareTo(Limits.DURATION) > 0 ? Optional.empty()
                : Optional.of(sum);
    }

    private static Duration unit(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "ms" -> Duration.ofMillis(1);
            case "s" -> Duration.ofSeconds(1);
            case "m", "min" -> Duration.ofMinutes(1);
            case "h" -> Duration.ofHours(1);
            case "d" -> Duration.ofDays(1);
            default -> Duration.ofDays(7);
        };
    }

    /** Returns what a text means; times without a zone are in UTC. Empty if it is not a time. */
    static Optional<Span> span(String text, Instant now) {
        Optional<Duration> ago = duration(text);
        if (ago.isPresent()) {
            Instant time = now.minus(ago.get());
            return Optional.of(new Span(time, time, true));
        }
        try {
            return Optional.of(absolute(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Span absolute(String text) {
        if (text.indexOf('T') < 0 && text.indexOf('t') < 0) {
            Instant day = inRange(LocalDate.parse(text)).atStartOfDay(ZoneOffset.UTC).toInstant();
            return new Span(day, day.plus(Duration.ofDays(1)), false);
        }
        Instant time;
        try {
            OffsetDateTime zoned = OffsetDateTime.parse(text);
            inRange(zoned.toLocalDate());
            time = zoned.toInstant();
        } catch (DateTimeException e) {
            LocalDateTime local = LocalDateTime.parse(text);
            inRange(local.toLocalDate());
            time = local.toInstant(ZoneOffset.UTC);
        }
        Instant millis = Instant.ofEpochMilli(time.toEpochMilli());
        return new Span(millis, millis.plusMillis(1), false);
    }

    private static LocalDate inRange(LocalDate date) {
        if (date.getYear() < FIRST_YEAR || date.getYear() > LAST_YEAR) {
            throw new DateTimeException("the year is out of range");
        }
        return date;
    }
}
