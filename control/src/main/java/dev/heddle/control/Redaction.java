package dev.heddle.control;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is masked in everything that people are shown: values by the name of their key, by their place in a document, or by
 * the form of a text. Stored values stay as they are, and handlers see them.
 *
 * @param keys names of keys whose values are masked, also as the end of a longer name: {@code password} masks
 *     {@code db_password} as well. Case, {@code _} and {@code -} do not count
 * @param paths places whose values are masked, such as {@code $.card.number} or {@code $.items[*].iban}
 * @param patterns regular expressions; what they match in texts is masked
 */
public record Redaction(List<String> keys, List<String> paths, List<String> patterns) {

    /** What stands for a masked value. */
    public static final String MASK = "•••";
    /** Masks nothing. */
    public static final Redaction NONE = new Redaction(List.of(), List.of(), List.of());
    /** Masks the values of keys that usually have secrets. */
    public static final Redaction STANDARD = new Redaction(List.of("password", "passwd", "passphrase", "secret",
            "token", "apikey", "accesskey", "privatekey", "authorization", "credentials", "cookie"), List.of(),
            List.of());

    private static final Pattern PATH = Pattern.compile("\\$((\\.[\\p{L}_][\\p{L}\\p{N}_-]*)|(\\[\\*]))+");
    private static final Pattern STEP = Pattern.compile("\\.([^.\\[]+)|\\[\\*]");

    /** Checks the rules. */
    public Redaction {
        keys = keys.stream().map(Redaction::plain).distinct().toList();
        paths = List.copyOf(paths);
        patterns = List.copyOf(patterns);
        for (String key : keys) {
            if (key.isEmpty()) {
                throw new IllegalArgumentException("a key to mask is empty; write a name such as password");
            }
        }
        for (String path : paths) {
            if (!PATH.matcher(path).matches()) {
                throw new IllegalArgumentException("'" + Limits.quoted(path)
                        + "' is not a path to mask; write one such as $.card.number or $.items[*].iban");
            }
        }
        for (String pattern : patterns) {
            compile(pattern);
        }
    }

    private static Pattern compile(String pattern) {
        try {
            Pattern compiled = Pattern.compile(pattern);
            if (compiled.matcher("").matches()) {
                throw new IllegalArgumentException("the pattern to mask '" + Limits.quoted(pattern)
                        + "' matches an empty text; let it match at least one character");
            }
            return compiled;
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "'" + Limits.quoted(pattern) + "' is not a regular expression: " + e.getDescription(), e);
        }
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "").strip();
    }

    /** Returns these rules and those of another redaction. */
    public Redaction and(Redaction other) {
        return new Redaction(joined(keys, other.keys), joined(paths, other.paths), joined(patterns, other.patterns));
    }

    private static List<String> joined(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).distinct().toList();
    }

    /** Returns whether nothing is masked. */
    public boolean isNone() {
        return keys.isEmpty() && paths.isEmpty() && patterns.isEmpty();
    }

    /** Returns a function that applies these rules, which are compiled once. */
    public Masker masker() {
        return new Masker(this);
    }

    /**
     * Returns the payload, unless it has a value that was masked: that of a job that is read, edited and submitted again
     * must not replace the value itself.
     *
     * @throws IllegalArgumentException if it has one
     */
    public static JsonNode requireUnmasked(JsonNode payload) {
        if (hasMask(payload)) {
            throw new IllegalArgumentException("the payload has a value '" + MASK
                    + "', which stands for a masked one; read the job with 'reveal' to get the value itself");
        }
        return payload;
    }

    private static boolean hasMask(JsonNode document) {
        return document.isString() ? document.stringValue().equals(MASK)
                : document.values().stream().anyMatch(Redaction::hasMask);
    }

    /** Applies the rules of a redaction. Safe for use by many threads. */
    public static final class Masker {

        private final List<String> keys;
        private final List<List<String>> paths;
        private final List<Pattern> patterns;

        private Masker(Redaction rules) {
            this.keys = rules.keys;
            this.paths = rules.paths.stream().map(Masker::steps).toList();
            this.patterns = rules.patterns.stream().map(Redaction::compile).toList();
        }

        /** Returns the names of a path; arrays have none of their own. */
        private static List<String> steps(String path) {
            return STEP.matcher(path).results().map(step -> step.group(1) == null ? "*" : step.group(1)).toList();
        }

        /** Returns whether values of a key are masked. */
        public boolean isSecret(String key) {
            String name = plain(key);
            return keys.stream().anyMatch(name::endsWith);
        }

        /** Returns a text with what matches a pattern masked. */
        public String text(String text) {
            String masked = text;
            for (Pattern pattern : patterns) {
                masked = pattern.matcher(masked).replaceAll(Matcher.quoteReplacement(MASK));
            }
            return masked;
        }

        /** Returns values by name with the secret ones masked. */
        public Map<String, String> map(Map<String, String> values) {
            Map<String, String> masked = new TreeMap<>();
            values.forEach((name, value) -> masked.put(name, isSecret(name) ? MASK : text(value)));
            return masked;
        }

        /** Returns a document with its secret values masked; the document itself stays as it is. */
        public JsonNode document(JsonNode document) {
            return masked(document, paths);
        }

        /** Masks a part of a document, to which these are the rests of the paths. */
        private JsonNode masked(JsonNode node, List<List<String>> rests) {
            return switch (node) {
                case ObjectNode object -> {
                    ObjectNode copy = JsonNodeFactory.instance.objectNode();
                    object.properties().forEach(field -> copy.set(field.getKey(),
                            value(field.getKey(), field.getValue(), after(field.getKey(), rests))));
                    yield copy;
                }
                case ArrayNode array -> {
                    ArrayNode copy = JsonNodeFactory.instance.arrayNode();
                    List<List<String>> inside = after("*", rests);
                    array.forEach(element -> copy.add(value(null, element, inside)));
                    yield copy;
                }
                default -> node.isString() && !patterns.isEmpty()
                        ? JsonNodeFactory.instance.stringNode(text(node.stringValue())) : node;
            };
        }

        private JsonNode value(@Nullable String key, JsonNode value, List<List<String>> rests) {
            boolean secret = (key != null && isSecret(key)) || rests.stream().anyMatch(List::isEmpty);
            return secret && !value.isNull() ? JsonNodeFactory.instance.stringNode(MASK) : masked(value, rests);
        }

        private static List<List<String>> after(String step, List<List<String>> rests) {
            return rests.isEmpty() ? rests
                    : rests.stream().filter(rest -> !rest.isEmpty() && rest.getFirst().equals(step))
                            .map(rest -> rest.subList(1, rest.size())).toList();
        }
    }
}
