package dev.heddle.job;

import java.time.Duration;

import static java.util.Objects.requireNonNull;

/** Argument checks that several types of this package share. */
final class Checks {

    private Checks() {}

    static Duration notNegative(String name, Duration value) {
        requireNonNull(value, name);
        if (value.isNegative()) {
            throw new IllegalArgumentException(name + " must not be negative: " + value);
        }
        return value;
    }

    static Duration positive(String name, Duration value) {
        requireNonNull(value, name);
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be longer than zero: " + DurationText.of(value));
        }
        return value;
    }

    static int notNegative(String name, int value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " must not be negative: " + value);
        }
        return value;
    }

    static String name(String what, String value) {
        requireNonNull(value, what);
        if (value.isBlank() || value.length() > 200 || !isPlain(value)) {
            throw new IllegalArgumentException(
                    what + " must have 1 to 200 characters and no control characters: '" + value + "'");
        }
        return value;
    }

    /** Control characters and unpaired surrogates are refused because not every store can keep them. */
    private static boolean isPlain(String text) {
        return text.codePoints()
                .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
    }
}
