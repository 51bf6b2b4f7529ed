package dev.heddle.server;

import org.jspecify.annotations.Nullable;

/**
 * Judges tokens that people choose. It cannot recognize every weak token, but it refuses those that a guesser tries
 * first: short ones, few characters repeated, and runs along the alphabet.
 */
final class TokenStrength {

    static final int MIN_LENGTH = 16;
    private static final int MIN_DISTINCT = 8;

    private TokenStrength() {}

    /** Returns why a token is too weak; null if it is not. */
    static @Nullable String weakness(String token) {
        if (token.length() < MIN_LENGTH || !token.chars().allMatch(c -> c > ' ' && c < 127)) {
            return "must have at least " + MIN_LENGTH + " printable ASCII characters and no spaces";
        }
        if (token.chars().distinct().count() < MIN_DISTINCT) {
            return "must have at least " + MIN_DISTINCT + " different characters";
        }
        if ((token + token).indexOf(token, 1) < token.length()) {
            return "must not repeat a shorter text";
        }
        return isRun(token) ? "must not be a run such as 1234 or abcd" : null;
    }

    /** Returns whether most characters are the same as the one before, or its neighbor in the alphabet. */
    private static boolean isRun(String token) {
        int neighbors = 0;
        for (int i = 1; i < token.length(); i++) {
            neighbors += Math.abs(token.charAt(i) - token.charAt(i - 1)) <= 1 ? 1 : 0;
        }
        return neighbors * 2 > token.length();
    }
}
