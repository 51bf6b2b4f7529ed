package dev.heddle.job;

import tools.jackson.core.JacksonException;

/** Describes errors in JSON, for messages. */
public final class JsonErrors {

    private static final int MAX_LENGTH = 200;

    private JsonErrors() {}

    /** Returns the parser's message on one line, shortened, and without the location in the source. */
    public static String describe(JacksonException e) {
        String message = String.valueOf(e.getOriginalMessage()).replaceAll("\\s+", " ")
                .replaceFirst(" ?\\(start marker at \\[Source: .*", "").replaceFirst(" ?\\[Source: .*", "");
        return message.length() <= MAX_LENGTH ? message : message.substring(0, MAX_LENGTH) + "…";
    }
}
