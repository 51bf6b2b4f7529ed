package dev.heddle.control.local;

import java.time.Duration;
import java.util.function.Supplier;

import dev.heddle.control.ControlException;
import dev.heddle.job.JobId;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;

/** Checks single values that a caller passes in, and refuses bad ones with a one-line message. */
final class InputChecks {

    private InputChecks() {}

    /** Returns what the supplier returns, and refuses a value that it rejects in its own words. */
    static <T> T checked(Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw ControlException.invalid(String.valueOf(e.getMessage()));
        }
    }

    static Duration notNegative(String what, Duration value) {
        return checked(() -> Limits.notNegative(what, value));
    }

    static int between(String what, int min, int max, int value) {
        if (value < min || value > max) {
            throw ControlException.invalid(what + " must be from " + min + " to " + max + ": " + value);
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
        throw ControlException
                .invalid("not a job id: '" + Limits.quoted(text) + "'; expected a UUID such as " + JobId.next());
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
        throw ControlException
                .invalid("not a cursor: '" + Limits.quoted(cursor) + "'; pass the 'next' of the previous page");
    }

    /** Returns a name such as a queue, a type or a tag; every store keeps and compares such names alike. */
    static String name(String what, @Nullable String value) {
        return checked(() -> Limits.name(what, present(what, value)));
    }

    static <T> T present(String what, @Nullable T value) {
        if (value == null) {
            throw ControlException.invalid(what + " is missing");
        }
        return value;
    }

    static String reason(@Nullable String value, String defaultValue) {
        return value == null || value.isBlank() ? defaultValue : checked(() -> Limits.reason(value));
    }
}
