package dev.heddle.agent;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.heddle.budget.Usd;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** An object in a line, whose fields may be missing or of another kind than they should be: vendors change them. */
record Fields(JsonNode node) {

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final double MOST_USD = 1e9;

    /** Empty where the line is no JSON object. */
    static Optional<Fields> of(String line) {
        if (!line.startsWith("{")) {
            return Optional.empty();
        }
        try {
            JsonNode node = MAPPER.readTree(line);
            return node.isObject() ? Optional.of(new Fields(node)) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** An object below; one without fields where there is none. */
    Fields in(String name) {
        JsonNode below = node.get(name);
        return new Fields(below == null ? MissingNode.getInstance() : below);
    }

    boolean has(String name) {
        return node.hasNonNull(name);
    }

    /** The values of a list below, or of an object. */
    List<Fields> all(String name) {
        List<Fields> found = new ArrayList<>();
        in(name).node.forEach(element -> found.add(new Fields(element)));
        return found;
    }

    @Nullable
    String find(String name) {
        JsonNode value = node.get(name);
        return value == null || value.isNull() ? null
                : value.isString() ? value.stringValue() : value.toString();
    }

    String text(String name) {
        String found = find(name);
        return found == null ? "" : found;
    }

    boolean flag(String name) {
        JsonNode value = node.get(name);
        return value != null && value.isBoolean() && value.booleanValue();
    }

    long number(String name) {
        JsonNode value = node.get(name);
        return value != null && value.isNumber() ? Math.max(0, value.asLong(0)) : 0;
    }

    /** An amount of money; null where it is none that anybody would pay: exponents can make numbers of any length. */
    @Nullable
    BigDecimal usd(String name) {
        JsonNode value = node.get(name);
        double usd = value == null || !value.isNumber() ? -1 : value.asDouble(-1);
        return usd >= 0 && usd < MOST_USD
                ? Usd.plain(BigDecimal.valueOf(usd).setScale(12, RoundingMode.HALF_UP))
                : null;
    }

    /** Text that may come as a string, or as a list of parts of which some have text. */
    String words(String name) {
        JsonNode value = in(name).node;
        if (!value.isArray()) {
            return text(name);
        }
        return all(name).stream().map(part -> part.node.isString() ? part.node.stringValue()
                : part.has("text") ? part.text("text") : "[" + part.text("type") + "]")
                .collect(Collectors.joining("\n"));
    }
}
