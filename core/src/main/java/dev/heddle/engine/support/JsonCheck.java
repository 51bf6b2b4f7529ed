package dev.heddle.engine.support;

import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Finds values in JSON that a store could not keep, or that nobody could read again. Looks at each character once, and
 * builds nothing.
 *
 * <p>A number counts with all digits that it has without an exponent, because that is how PostgreSQL writes it: 1e400
 * has 401.
 */
public final class JsonCheck {

    private static final int MAX_EXPONENT_DIGITS = 9;
    private static final String HALF = "contains half of a surrogate pair, which is not a character; remove it";

    private final String json;
    private int at;

    private JsonCheck(String json) {
        this.json = json;
    }

    /** Returns what is wrong with a JSON text, as the end of a sentence that names it; null if nothing is. */
    public static @Nullable String problem(String json) {
        return new JsonCheck(json).problem();
    }

    private @Nullable String problem() {
        while (at < json.length()) {
            char c = json.charAt(at);
            @Nullable String problem = null;
            if (c == '"') {
                problem = string();
            } else if (c == '-' || isDigit(c)) {
                problem = number();
            } else {
                problem = isHalf(at) ? HALF : null;
                at++;
            }
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private @Nullable String string() {
        int start = at + 1;
        int i = start;
        for (; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c == '"') {
                at = i + 1;
                return i - start > Limits.JSON_NAME && isName() ? "has a field name of " + (i - start)
                        + " characters, over the limit of " + Limits.JSON_NAME + "; make it shorter" : null;
            }
            if (c == '\\') {
                if (json.startsWith("u0000", i + 1)) {
                    return "contains the character U+0000, which not every store can keep; remove it";
                }
                i++;
            } else if (Character.isSurrogate(c)) {
                if (isHalf(i)) {
                    return HALF;
                }
                i++;
            }
        }
        at = i;
        return null;
    }

    /** Returns whether a colon follows the string that has just ended. */
    private boolean isName() {
        int next = at;
        while (next < json.length() && Character.isWhitespace(json.charAt(next))) {
            next++;
        }
        return next < json.length() && json.charAt(next) == ':';
    }

    private boolean isHalf(int index) {
        char c = json.charAt(index);
        return Character.isSurrogate(c) && !(Character.isHighSurrogate(c) && index + 1 < json.length()
                && Character.isLowSurrogate(json.charAt(index + 1)));
    }

    private @Nullable String number() {
        int start = at++;
        int whole = digits() + (json.charAt(start) == '-' ? 0 : 1);
        int fraction = 0;
        if (isNext('.')) {
            at++;
            fraction = digits();
        }
        long exponent = 0;
        int exponentDigits = 0;
        if (isNext('e') || isNext('E')) {
            at++;
            boolean negative = isNext('-');
            at += negative || isNext('+') ? 1 : 0;
            int from = at;
            exponentDigits = digits();
            exponent = exponentDigits > MAX_EXPONENT_DIGITS ? Integer.MAX_VALUE
                    : exponentDigits == 0 ? 0 : Long.parseLong(json, from, at, 10);
            exponent = negative ? -exponent : exponent;
        }
        long written = Math.max(whole + exponent, 1) + Math.max(fraction - exponent, 0);
        long length = Math.max(written, (long) whole + fraction + exponentDigits);
        return length <= Limits.JSON_NUMBER ? null
                : "has a number of more than " + Limits.JSON_NUMBER + " digits: "
                        + Limits.quoted(json.substring(start, at)) + "; pass it as text";
    }

    /** Skips digits; returns how many. */
    private int digits() {
        int from = at;
        while (at < json.length() && isDigit(json.charAt(at))) {
            at++;
        }
        return at - from;
    }

    private boolean isNext(char c) {
        return at < json.length() && json.charAt(at) == c;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
