package dev.heddle.control;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.heddle.job.JsonErrors;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.PropertyBindingException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

/**
 * Reads and writes the records of this module as JSON: fields have the names of the record components, times and
 * durations are ISO-8601 text, and null is left out. Input is read strictly: unknown fields, duplicate fields and
 * numbers in place of text are refused.
 */
public final class ControlJson {

    private static final JsonMapper STRICT = mapper();
    /** For what other nodes wrote: a newer one may add fields that this side does not know. */
    private static final ObjectReader TOLERANT = STRICT.reader()
            .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private ControlJson() {}

    private static JsonMapper mapper() {
        SimpleModule times = new SimpleModule("iso-8601")
                .addDeserializer(Instant.class,
                        new Iso<>(Instant.class, Instant::parse, "a time such as 2026-03-01T12:00:00Z"))
                .addDeserializer(Duration.class,
                        new Iso<>(Duration.class, Duration::parse, "a duration such as PT1M30S"));
        return JsonMapper.builder().addModule(times)
                .changeDefaultPropertyInclusion(incl -> incl.withValueInclusion(JsonInclude.Include.NON_NULL))
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY, MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .withCoercionConfig(LogicalType.Textual,
                        config -> config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
                .build();
    }

    /** Reads a string by a parser of java.time, and refuses any other JSON. */
    private static final class Iso<T> extends StdScalarDeserializer<T> {
        private final transient Function<String, T> parser;
        private final String expected;

        Iso(Class<T> type, Function<String, T> parser, String expected) {
            super(type);
            this.parser = parser;
            this.expected = expected;
        }

        @Override
        public T deserialize(JsonParser json, DeserializationContext context) {
            if (!json.hasToken(JsonToken.VALUE_STRING)) {
                throw MismatchedInputException.from(json, handledType(), "expected " + expected);
            }
            String text = json.getString();
            try {
                return parser.apply(text);
            } catch (DateTimeException | ArithmeticException e) {
                throw InvalidFormatException.from(json, "expected " + expected + ": '" + shortened(text) + "'", text,
                        handledType());
            }
        }
    }

    /** Returns the JSON of a value on one line. */
    public static String write(@Nullable Object value) {
        return STRICT.writeValueAsString(value);
    }

    /**
     * Returns the JSON of a value in UTF-8. An unpaired surrogate, which the message of a failure may contain, becomes
     * a question mark.
     */
    public static byte[] bytes(@Nullable Object value) {
        return write(value).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the JSON of a request in UTF-8, and refuses an unpaired surrogate rather than change it. */
    public static byte[] exactBytes(Object value) {
        try {
            return STRICT.writeValueAsBytes(value);
        } catch (JacksonException e) {
            throw new ControlException(ControlException.Kind.INVALID,
                    "this cannot be written as JSON: " + JsonErrors.describe(e), e);
        }
    }

    /** Returns the JSON of a value on indented lines. */
    public static String pretty(@Nullable Object value) {
        return STRICT.writerWithDefaultPrettyPrinter().writeValueAsString(value);
    }

    /** Reads JSON that is known to be valid, such as that of a store. */
    public static JsonNode tree(String json) {
        return STRICT.readTree(json);
    }

    /**
     * Reads JSON from a person or a script. Throws a {@link ControlException} that says where and why it does not fit.
     */
    public static <T> T read(byte[] json, Class<T> type) {
        try {
            T value = STRICT.readValue(json, type);
            if (value == null) {
                throw ControlException.invalid("expected a JSON object, not null");
            }
            return value;
        } catch (JacksonException e) {
            throw new ControlException(ControlException.Kind.INVALID, explain(e), e);
        } catch (NumberFormatException e) {
            // The parser's own exception for an exponent beyond that of a BigDecimal.
            throw new ControlException(ControlException.Kind.INVALID,
                    "a number is out of range: " + Limits.quoted(String.valueOf(e.getMessage())), e);
        }
    }

    /** Reads any JSON from a person or a script; see {@link #read}. */
    public static JsonNode readTree(byte[] json) {
        return read(json, JsonNode.class);
    }

    /** Returns a reader for the responses of a node, which may be newer and say more than this side knows. */
    public static ObjectReader responseReader(Type type) {
        return TOLERANT.forType(STRICT.constructType(type));
    }

    /** Reads what another node wrote, which may be newer and say more than this side knows. */
    public static <T> T readStored(String json, TypeReference<T> type) {
        return TOLERANT.forType(type).readValue(json);
    }

    private static String explain(JacksonException e) {
        String path = e.getPath().stream().map(
                step -> step.getPropertyName() == null ? "[" + step.getIndex() + "]" : "." + step.getPropertyName())
                .collect(Collectors.joining());
        String at = path.isEmpty() ? "" : (path.startsWith(".") ? path.substring(1) : path) + ": ";
        return switch (e) {
            case PropertyBindingException unknown -> "unknown field '" + at.replace(": ", "") + "'; known fields: "
                    + String.join(", ", unknown.getKnownPropertyIds().stream().map(String::valueOf).sorted().toList());
            case MismatchedInputException wrong when wrong.getOriginalMessage().startsWith("expected ") ->
                at + wrong.getOriginalMessage();
            case InputCoercionException _ -> at + "expected " + expected(int.class);
            case MismatchedInputException wrong -> at + "expected " + expected(wrong.getTargetType());
            default -> {
                String error = JsonErrors.describe(e);
                yield (error.startsWith("a number ") ? at : "not JSON: ") + error + location(e);
            }
        };
    }

    private static String location(JacksonException e) {
        var location = e.getLocation();
        return location == null || location.getLineNr() < 1 ? ""
                : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }

    private static String expected(@Nullable Class<?> type) {
        if (type == null) {
            return "a different kind of value";
        }
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants()).map(String::valueOf).collect(Collectors.joining(", "));
        }
        if (type == String.class) {
            return "text";
        }
        if (type == Integer.class || type == int.class || type == Long.class || type == long.class) {
            return "a whole number within its range";
        }
        if (JsonNode.class.isAssignableFrom(type)) {
            return "JSON";
        }
        if (Iterable.class.isAssignableFrom(type)) {
            return "an array";
        }
        return "an object";
    }

    private static String shortened(String text) {
        return text.length() <= 200 ? text : text.substring(0, 200) + "…";
    }
}
