package dev.heddle.job;

import java.time.Duration;
import java.time.Instant;

import static java.util.Objects.requireNonNull;

/**
 * The limits on names, texts, JSON and times, and the checks that enforce them. They hold for every store alike, and
 * leave room in each: what passes here can be stored anywhere and comes back unchanged.
 *
 * <p>All checks throw an {@link IllegalArgumentException} with one line that says which value, and what is allowed.
 */
public final class Limits {

    /** The longest name, in characters: of a type, queue, group, step or header, a tag, a subject, a key, a session. */
    public static final int NAME = 200;

    /** The most tags of a job. */
    public static final int TAGS = 50;

    /** The most headers of a job. */
    public static final int HEADERS = 50;

    /** The longest value of a header, in characters. */
    public static final int HEADER_VALUE = 1_000;

    /** The longest reason that a person gives for an order, in characters. */
    public static final int REASON = 1_000;

    /** The longest message of progress, in characters. A longer one is cut. */
    public static final int PROGRESS = 1_000;

    /** The longest message or hint of a failure, in characters. A longer one is cut. */
    public static final int MESSAGE = 16_000;

    /** The longest stack trace of a failure, in characters. A longer one is cut. */
    public static final int STACK_TRACE = 64_000;

    /** The most digits of a number in JSON, counted as it is written without an exponent: 1e400 has 401. */
    public static final int JSON_NUMBER = 1_000;

    /** The longest name of a field in JSON, in characters. */
    public static final int JSON_NAME = 50_000;

    /** How deep arrays and objects in JSON may be nested. */
    public static final int JSON_DEPTH = 500;

    /** The largest {@code payloadLimit} of a pool, in bytes. */
    public static final int PAYLOAD = 64 << 20;

    /** The longest duration: 100 years. */
    public static final Duration DURATION = Duration.ofDays(36_500);

    /** The earliest time at which a job may be set to run. */
    public static final Instant EARLIEST = Instant.EPOCH;

    /** The latest time at which a job may be set to run. */
    public static final Instant LATEST = Instant.parse("2170-01-01T00:00:00Z");

    private static final int QUOTED = 80;
    /** The longest note of how much was cut. */
    private static final int CUT_NOTE = 30;

    private Limits() {}

    /** Returns a name if it has 1 to {@value #NAME} characters, none of them a control character. */
    public static String name(String what, String value) {
        requireNonNull(value, what);
        if (value.isBlank() || value.length() > NAME || !isPlain(value)) {
            throw new IllegalArgumentException(what + " must have 1 to " + NAME
                    + " characters and no control characters: '" + quoted(value) + "'");
        }
        return value;
    }

    /** Returns a reason if it has at most {@value #REASON} characters, none of them a control character. */
    public static String reason(String value) {
        if (requireNonNull(value, "reason").length() > REASON || !isPlain(value)) {
            throw new IllegalArgumentException("reason must have at most " + REASON
                    + " characters and no control characters: '" + quoted(value) + "'");
        }
        return value;
    }

    /**
     * Checks the size of a payload, result, checkpoint or step.
     *
     * @param bytes its size as JSON in UTF-8
     * @throws IllegalArgumentException if it is over the limit
     */
    public static void payload(String what, long bytes, int limit) {
        if (bytes > limit) {
            throw new IllegalArgumentException(what + " is " + bytes + " bytes of JSON, over the limit of " + limit
                    + "; store the data elsewhere and pass a reference, or raise payloadLimit");
        }
    }

    /** Returns a duration if it is from zero to {@link #DURATION}. */
    public static Duration notNegative(String what, Duration value) {
        if (requireNonNull(value, what).isNegative()) {
            throw new IllegalArgumentException(what + " must not be negative: " + value);
        }
        if (value.compareTo(DURATION) > 0) {
            throw new IllegalArgumentException(
                    what + " must be at most " + DURATION.toDays() + " days: " + DurationText.of(value));
        }
        return value;
    }

    /** Returns a duration if it is from one millisecond to {@link #DURATION}. */
    public static Duration positive(String what, Duration value) {
        if (!requireNonNull(value, what).isPositive()) {
            throw new IllegalArgumentException(what + " must be longer than zero: " + value);
        }
        if (value.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException(what + " must be at least 1 ms: " + value);
        }
        return notNegative(what, value);
    }

    /** Returns a time if it is from {@link #EARLIEST} to {@link #LATEST}. */
    public static Instant time(String what, Instant value) {
        if (requireNonNull(value, what).isBefore(EARLIEST) || value.isAfter(LATEST)) {
            throw new IllegalArgumentException(
                    what + " must be from " + EARLIEST + " to " + LATEST + ": " + value);
        }
        return value;
    }

    /** Returns a number if it is not below the least. */
    public static int atLeast(int least, String what, int value) {
        return between(least, Integer.MAX_VALUE, what, value);
    }

    /** Returns a number if it is neither below the least nor above the most. */
    public static int between(int least, int most, String what, int value) {
        if (value < least) {
            throw new IllegalArgumentException(what + " must be at least " + least + ": " + value);
        }
        if (value > most) {
            throw new IllegalArgumentException(what + " must be at most " + most + ": " + value);
        }
        return value;
    }

    /**
     * Returns how long to wait, in nanoseconds. A time beyond {@link #DURATION}, such as that of
     * {@link java.time.temporal.ChronoUnit#FOREVER}, counts as that duration, and a negative one as zero.
     */
    public static long waitNanos(Duration time) {
        return time.isNegative() ? 0 : (time.compareTo(DURATION) < 0 ? time : DURATION).toNanos();
    }

    /**
     * Returns a text that every store can keep: at most this long, with a note of how much was cut, and with U+FFFD in
     * place of U+0000 and of halves of surrogate pairs. Cutting a text again changes nothing.
     */
    public static String cut(String text, int most) {
        int kept = most - CUT_NOTE;
        return storable(text.length() <= most ? text
                : text.substring(0, kept) + "… (" + (text.length() - kept) + " more characters)");
    }

    private static String storable(String text) {
        return text.codePoints().allMatch(Limits::isStorable) ? text : replaced(text);
    }

    private static String replaced(String text) {
        return text.codePoints().map(c -> isStorable(c) ? c : '\uFFFD')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }

    /** Returns whether every store can keep the text as it is: it has neither U+0000 nor half of a surrogate pair. */
    public static boolean isStorable(String text) {
        return text.codePoints().allMatch(Limits::isStorable);
    }

    private static boolean isStorable(int c) {
        return c != 0 && !isSurrogate(c);
    }

    private static boolean isPlain(String text) {
        return text.codePoints().allMatch(Limits::isPlain);
    }

    private static boolean isPlain(int c) {
        return !Character.isISOControl(c) && !isSurrogate(c);
    }

    private static boolean isSurrogate(int c) {
        return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    }

    /** Returns a text in a form that fits into a message: short, and on one line. */
    public static String quoted(String text) {
        String plain = text.codePoints().limit(QUOTED).map(c -> isPlain(c) ? c : '\uFFFD')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
        return text.codePointCount(0, text.length()) > QUOTED ? plain + "…" : plain;
    }
}
