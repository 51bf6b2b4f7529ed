package dev.heddle.engine.support;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

import dev.heddle.job.HeddleException;
import dev.heddle.job.JsonErrors;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes payloads, results, checkpoints and steps as JSON. */
public final class JsonCodec {

    private final JsonMapper mapper;
    private final ObjectWriter writer;

    /** Creates a codec that uses this mapper. */
    public JsonCodec(JsonMapper mapper) {
        this.mapper = mapper;
        // For example, a map with the keys 1 and "1": a store would keep only one of the two.
        this.writer = mapper.writer().with(StreamWriteFeature.STRICT_DUPLICATE_DETECTION);
    }

    /**
     * Returns the value as JSON.
     *
     * @param what names the value in messages
     * @throws IllegalArgumentException if it cannot be written
     */
    public String write(@Nullable Object value, String what) {
        try {
            return writer.writeValueAsString(value);
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
        } catch (NumberFormatException e) {
            // The parser's own exception for an exponent beyond that of a BigDecimal.
            throw new UnreadableException(
                    what + " cannot be read: a number is out of range: "
                            + Limits.quoted(String.valueOf(e.getMessage())),
                    e);
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
}
