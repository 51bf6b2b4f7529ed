package dev.heddle.control;

import java.time.Duration;

import dev.heddle.job.JobId;
import org.jspecify.annotations.Nullable;

/** Checks single values that a caller passes in, and refuses bad ones with a one-line message. */
final class InputChecks {

    /** Longer than any job should wait, and short enough for the clock of every store. */
    static final Duration MAX_DURATION = Duration.ofDays(36_500);
    private static final int MAX_REASON = 1_000;
    private static final int MAX_NAME = 200;
    private static final int MAX_QUOTED = 80;

    private InputChecks() {}

    static Duration between(String what, Duration min, Duration value) {
        if (value.compareTo(min) < 0 || value.compareTo(MAX_DURATION) > 0) {
            throw ControlException.invalid(what + " must be from " + min + " to " + MAX_DURATION + ": " + value);
        }
        return value;
    }

    static int between(String what, int min, int max, int value) {
        if (value < min || value > max) {
            throw ControlException.invalid(what + " must be from " + min + " to " + max + ": " + value);
        }
        return value;
    }

    static int atLeast(int min, String what, int value) {
        if (value < min) {
            throw ControlException.invalid(what + " must be at least " + min + ": " + value);
        }
        return value;
    }

    static long offset(long value) {
        if (value < 0) {
            throw ControlException.invalid("offset must not be negative: " + value);
        }
        return value;
    }

    /** Returns the id that a caller chose for a job, which must be a complete UUID. */
    static JobId id(String text) {
        try {
            JobId id = JobId.of(text);
            if (id.toString().equalsIgnoreCase(text)) {
                return id;
            }
        } catch (IllegalArgumentException e) {
            // Reported below, as are abbreviated UUIDs that Java accepts and other parsers do not.
        }
        throw ControlException.invalid("not a job id: '" + quoted(text) + "'; expected a UUID such as " + JobId.next());
    }

    /** Returns the position that a cursor stands for; 0 if there is none. */
    static long cursor(@Nullable String cursor) {
        if (cursor == null) {
            return 0;
        }
        try {
            long seq = Long.parseLong(cursor);
            if (seq > 0) {
                return seq;
            }
        } catch (NumberFormatException e) {
            // Reported below, as are numbers that cannot be a position.
        }
        throw ControlException.invalid("not a cursor: '" + quoted(cursor) + "'; pass the 'next' of the previous page");
    }

    /** Returns a name such as a queue, a type or a tag; every store keeps and compares such names alike. */
    static String name(String what, @Nullable String value) {
        if (value == null) {
            throw ControlException.invalid(what + " is missing");
        }
        if (value.isBlank() || value.length() > MAX_NAME || !isPlain(value)) {
            throw ControlException.invalid(what + " must have 1 to " + MAX_NAME
                    + " characters and no control characters: '" + quoted(value) + "'");
        }
        return value;
    }

    static String reason(@Nullable String value, String defaultValue) {
        if (value == null || value.isBlank()) {
            return defaultValue;
        }
        if (value.length() > MAX_REASON || !isPlain(value)) {
            throw ControlException.invalid("reason must have at most " + MAX_REASON
                    + " characters and no control characters: '" + quoted(value) + "'");
        }
        return value;
    }

    private static boolean isPlain(String text) {
        return text.codePoints().allMatch(InputChecks::isPlain);
    }

    private static boolean isPlain(int c) {
        return !Character.isISOControl(c) && (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE);
    }

    /** Returns the text of a caller in a form that fits into a message: short, and on one line. */
    static String quoted(String text) {
        String plain = text.codePoints().limit(MAX_QUOTED).map(c -> isPlain(c) ? c : '\uFFFD')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
        return text.codePointCount(0, text.length()) > MAX_QUOTED ? plain + "…" : plain;
    }
}
