package dev.heddle.pool;

import java.nio.charset.StandardCharsets;

import dev.heddle.job.NotJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Payloads, results, checkpoints and steps as JSON. */
final class Codec {

    private final JsonMapper mapper;

    Codec(JsonMapper mapper) {
        this.mapper = mapper;
    }

    String write(@Nullable Object value, String what) {
        try {
            return mapper.writeValueAsString(value);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    what + " cannot be written as JSON: " + e.getOriginalMessage()
                            + "; use a record or a plain class",
                    e);
        }
    }

    <T> T read(String json, Class<T> type, String what) {
        try {
            return mapper.readValue(json, type);
        } catch (JacksonException e) {
            throw new UnreadableException(
                    what + " cannot be read as " + type.getSimpleName() + ": " + NotJson.why(e), e);
        }
    }

    static int size(String json) {
        return json.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Stored JSON does not fit the type it is read as. */
    static final class UnreadableException extends RuntimeException {
        UnreadableException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Whether a string in the JSON has half of a surrogate pair, which has no form in UTF-8. */
    static boolean hasLoneSurrogate(String json) {
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean pair = Character.isHighSurrogate(c) && i + 1 < json.length()
                        && Character.isLowSurrogate(json.charAt(i + 1));
                if (!pair) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    /** Whether a string in the JSON has a NUL: PostgreSQL keeps every character but this one. */
    static boolean hasNul(String json) {
        for (int at = json.indexOf("\\u0000"); at >= 0; at = json.indexOf("\\u0000", at + 1)) {
            int backslashes = 0;
            while (backslashes < at && json.charAt(at - 1 - backslashes) == '\\') {
                backslashes++;
            }
            if (backslashes % 2 == 0) {
                return true;
            }
        }
        return false;
    }
}
