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
            throw new IllegalArgumentException(name + " must be longer than zero: " + SpanText.of(value));
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
        if (value.isBlank() || value.length() > 200 || !isPlain(value)) {
            throw new IllegalArgumentException(
                    what + " must have 1 to 200 characters, none of them a control character: '" + value
                            + "'");
        }
        return value;
    }

    /** Whether every store keeps it as it is: no control characters, and no half of a surrogate pair. */
    private static boolean isPlain(String text) {
        return text.codePoints()
                .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
    }
}
