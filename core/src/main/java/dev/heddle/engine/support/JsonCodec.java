package dev.heddle.engine.support;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

import dev.heddle.job.HeddleException;
import dev.heddle.job.JsonErrors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes payloads, results, checkpoints and steps as JSON. */
public final class JsonCodec {

    private final JsonMapper mapper;

    /** Creates a codec that uses this mapper. */
    public JsonCodec(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * Returns the value as JSON.
     *
     * @param what names the value in messages
     * @throws IllegalArgumentException if it cannot be written
     */
    public String write(@Nullable Object value, String what) {
        try {
            return mapper.writeValueAsString(value);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    what + " cannot be written as JSON: " + e.getOriginalMessage() + "; use a record or a plain class",
                    e);
        }
    }

    /**
     * Reads a value.
     *
     * @param what names the value in messages
     * @throws UnreadableException if the JSON does not fit the type
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // the callers pass the type of T
    public <T> T read(String json, Type type, String what) {
        try {
            return mapper.readValue(json, mapper.constructType(type));
        } catch (JacksonException e) {
            throw new UnreadableException(
                    what + " cannot be read as " + simpleName(type) + ": " + JsonErrors.describe(e), e);
        }
    }

    private static String simpleName(Type type) {
        return type instanceof Class<?> known ? known.getSimpleName() : type.getTypeName();
    }

    /** Returns the size of the JSON in bytes of UTF-8. */
    public static int size(String json) {
        return json.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Stored JSON does not fit the type it is read as. */
    public static final class UnreadableException extends HeddleException {
        UnreadableException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Returns whether the JSON contains half of a surrogate pair, which cannot be encoded in UTF-8. */
    public static boolean hasLoneSurrogate(String json) {
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

    /** Returns whether a string in the JSON contains U+0000, the only character that PostgreSQL cannot store. */
    public static boolean hasNul(String json) {
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
