package dev.heddle.job;

import tools.jackson.core.JacksonException;

/** What is wrong with text that should be JSON, in the parser's words but without those about itself. */
public final class NotJson {

    private static final int MOST = 200;

    private NotJson() {}

    /** One line of them, short, without the place. */
    public static String why(JacksonException e) {
        String words = String.valueOf(e.getOriginalMessage()).replaceAll("\\s+", " ")
                .replaceFirst(" ?\\(start marker at \\[Source: .*", "").replaceFirst(" ?\\[Source: .*", "");
        return words.length() <= MOST ? words : words.substring(0, MOST) + "…";
    }
}
