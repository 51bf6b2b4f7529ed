package dev.heddle.agent;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.heddle.budget.Usd;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * A JSON value read leniently: a field that is missing or has an unexpected type reads as empty, 0 or false. Vendors
 * change their formats without notice, and one changed field must not fail a run.
 */
record LenientJson(JsonNode node) {

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final double MAX_USD = 1e9;

    /** Parses a line; empty if it is not a JSON object. */
    static Optional<LenientJson> parse(String line) {
        if (!line.startsWith("{")) {
            return Optional.empty();
        }
        try {
            JsonNode node = MAPPER.readTree(line);
            return node.isObject() ? Optional.of(new LenientJson(node)) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** Returns the value of a field; an empty one if the field is missing. */
    LenientJson child(String name) {
        JsonNode child = node.get(name);
        return new LenientJson(child == null ? MissingNode.getInstance() : child);
    }

    boolean has(String name) {
        return node.hasNonNull(name);
    }

    /** Returns the elements of an array field, or the values of an object field. */
    List<LenientJson> children(String name) {
        List<LenientJson> children = new ArrayList<>();
        child(name).node.forEach(element -> children.add(new LenientJson(element)));
        return children;
    }

    @Nullable String textOrNull(String name) {
        JsonNode value = node.get(name);
        return value == null || value.isNull() ? null : value.isString() ? value.stringValue() : value.toString();
    }

    String text(String name) {
        return Objects.requireNonNullElse(textOrNull(name), "");
    }

    boolean flag(String name) {
        JsonNode value = node.get(name);
        return value != null && value.isBoolean() && value.booleanValue();
    }

    /** Returns a count; 0 if the field is not a number or is negative. */
    long number(String name) {
        JsonNode value = node.get(name);
        return value != null && value.isNumber() ? Math.max(0, value.asLong(0)) : 0;
    }

    /** Returns an amount of money; null if it is implausible. An exponent could make a number of any length. */
    @Nullable BigDecimal usd(String name) {
        JsonNode value = node.get(name);
        double usd = value == null || !value.isNumber() ? -1 : value.asDouble(-1);
        return usd >= 0 && usd < MAX_USD ? Usd.normalize(BigDecimal.valueOf(usd).setScale(12, RoundingMode.HALF_UP))
                : null;
    }

    /** Returns text that is either a string or an array of parts, some of which contain text. */
    String joinedText(String name) {
        if (!child(name).node.isArray()) {
            return text(name);
        }
        return children(name).stream()
                .map(part -> part.node.isString() ? part.node.stringValue()
                        : part.has("text") ? part.text("text") : "[" + part.text("type") + "]")
                .collect(Collectors.joining("\n"));
    }
}
