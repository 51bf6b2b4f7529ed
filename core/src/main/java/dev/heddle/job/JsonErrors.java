package dev.heddle.job;

import tools.jackson.core.JacksonException;

/** Describes errors in JSON, for messages. */
public final class JsonErrors {

    private static final int MAX_LENGTH = 200;

    private JsonErrors() {}

    /** Returns the parser's message on one line, shortened, and without the location in the source. */
    public static String describe(JacksonException e) {
        String original = String.valueOf(e.getOriginalMessage());
        if (original.startsWith("Number value length")) {
            return "a number has more than " + Limits.JSON_NUMBER + " digits; pass it as text";
        }
        if (original.contains("value exceeds limits")) {
            return "a number is out of range; pass it as text";
        }
        String message = original.replaceAll("\\s+", " ")
                .replaceFirst(" ?\\(start marker at \\[Source: .*", "").replaceFirst(" ?\\[Source: .*", "");
        return message.length() <= MAX_LENGTH ? message : message.substring(0, MAX_LENGTH) + "…";
    }
}
