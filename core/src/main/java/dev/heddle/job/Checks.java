package dev.heddle.job;

import java.time.Duration;

/** The argument checks that more than one type here needs, so that their messages read alike. */
final class Checks {

    private Checks() {}

    static Duration notNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(name + " must not be negative: " + value);
        }
        return value;
    }

    static Duration positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be longer than zero: " + value);
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
        if (value.isBlank() || value.length() > 200) {
            throw new IllegalArgumentException(what + " must have 1 to 200 characters: '" + value + "'");
        }
        return value;
    }
}
