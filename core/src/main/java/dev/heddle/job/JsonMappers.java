package dev.heddle.job;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The JSON mappers for payloads and results. */
public final class JsonMappers {

    private static final JsonMapper STANDARD = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

    private static final JsonMapper STRICT = STANDARD.rebuild().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    private JsonMappers() {}

    /**
     * Reads any JSON that comes from outside, such as the result that a process wrote. Numbers keep all their digits.
     *
     * @throws IllegalArgumentException if it is not JSON, has a field twice, or has a number out of all range; the
     *     message is one line
     */
    public static JsonNode readStrictly(String json) {
        try {
            return STRICT.readTree(json);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(JsonErrors.describe(e), e);
        } catch (NumberFormatException e) {
            // The parser's own exception for an exponent beyond that of a BigDecimal.
            throw new IllegalArgumentException(
                    "a number is out of range: " + Limits.quoted(String.valueOf(e.getMessage())), e);
        }
    }

    /**
     * Returns the mapper of pools that have no custom one. It is Jackson's default mapper with one change: numbers with a fraction or an exponent that are read without a
     * type, as in a {@code JsonNode} or a {@code Map}, become a {@link java.math.BigDecimal} and keep all their digits.
     */
    public static JsonMapper standard() {
        return STANDARD;
    }
}
