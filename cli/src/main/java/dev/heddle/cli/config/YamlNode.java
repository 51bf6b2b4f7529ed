package dev.heddle.cli.config;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.heddle.cli.config.ConfigValues.Leaf;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.DidYouMean;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A node of a YAML file. Its accessors convert the node and reject invalid content with the line.
 *
 * @param path path of the node in messages
 */
record YamlNode(Path file, Node node, String path, Map<String, String> environment) {

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(\\w+)}");

    /** A key with its value. */
    record Entry(String key, int line, YamlNode value) {}

    /** Returns all keys; rejects duplicates. */
    List<Entry> entries() {
        if (!(node instanceof MappingNode mapping)) {
            throw wrong("must be a mapping");
        }
        Set<String> seen = new HashSet<>();
        List<Entry> entries = new ArrayList<>();
        for (NodeTuple tuple : mapping.getValue()) {
            String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
            String child = path.isEmpty() ? key : path + "." + key;
            if (!seen.add(key)) {
                throw ConfigValues.at(file, line(tuple.getKeyNode()), "duplicate key '" + child + "'; keep one");
            }
            entries.add(new Entry(key, line(tuple.getKeyNode()),
                    new YamlNode(file, tuple.getValueNode(), child, environment)));
        }
        return entries;
    }

    /** Returns all keys; rejects those that are not known. */
    List<Entry> entries(List<String> known) {
        List<Entry> entries = entries();
        for (Entry entry : entries) {
            if (!known.contains(entry.key)) {
                throw ConfigValues.at(file, entry.line, "unknown key '" + entry.value.path + "'"
                        + DidYouMean.closest(entry.key, known)
                                .map(near -> "; did you mean '" + (path.isEmpty() ? "" : path + ".") + near + "'?")
                                .orElse("; known keys: " + String.join(", ", known)));
            }
        }
        return entries;
    }

    /** Returns the given key, if present. */
    Optional<Entry> entry(String key) {
        return entries().stream().filter(entry -> entry.key.equals(key)).findFirst();
    }

    Leaf leaf() {
        if (!(node instanceof ScalarNode scalar)) {
            throw wrong("must be a single value, not a " + (node instanceof MappingNode ? "mapping" : "list"));
        }
        if (YamlTree.isEmpty(scalar)) {
            throw wrong("has no value; add one or delete the line");
        }
        return new Leaf(resolve(scalar), line(scalar));
    }

    private String resolve(ScalarNode scalar) {
        Matcher reference = REFERENCE.matcher(scalar.getValue());
        if (!reference.matches()) {
            return scalar.getValue();
        }
        String value = environment.get(reference.group(1));
        if (value == null || value.isEmpty()) {
            throw wrong("refers to the environment variable " + reference.group(1) + ", which is not set");
        }
        return value;
    }

    <T> T as(ValueType<T> kind) {
        try {
            return kind.parser().parse(leaf().text());
        } catch (IllegalArgumentException e) {
            throw wrong(Objects.requireNonNullElse(e.getMessage(), "is invalid"));
        }
    }

    boolean isList() {
        return node instanceof SequenceNode;
    }

    /** Returns the items of a list, each converted to the given type. */
    <T> List<T> list(ValueType<T> kind, String example) {
        if (!(node instanceof SequenceNode sequence)) {
            throw wrong("must be a list, such as " + example);
        }
        return sequence.getValue().stream().map(item -> new YamlNode(file, item, path, environment).as(kind)).toList();
    }

    /** Returns the value as JSON, with the types that YAML gives to plain values. */
    JsonNode json() {
        JsonNodeFactory json = JsonNodeFactory.instance;
        return switch (node) {
            case MappingNode _ -> {
                ObjectNode object = json.objectNode();
                entries().forEach(entry -> object.set(entry.key(), entry.value().json()));
                yield object;
            }
            case SequenceNode sequence -> {
                ArrayNode array = json.arrayNode();
                sequence.getValue().forEach(item -> array.add(new YamlNode(file, item, path, environment).json()));
                yield array;
            }
            case ScalarNode scalar when scalar.getTag().equals(Tag.NULL) -> json.nullNode();
            case ScalarNode scalar when scalar.getTag().equals(Tag.BOOL) -> json.booleanNode(as(ValueType.FLAG));
            case ScalarNode scalar when scalar.getTag().equals(Tag.INT) || scalar.getTag().equals(Tag.FLOAT) -> {
                try {
                    yield json.numberNode(new BigDecimal(scalar.getValue()));
                } catch (NumberFormatException e) {
                    throw wrong("is not a number that JSON can have: " + scalar.getValue());
                }
            }
            case ScalarNode scalar -> json.stringNode(resolve(scalar));
            default -> throw wrong("must be a value, a list or a mapping");
        };
    }

    /** Calls the supplier and reports its {@link IllegalArgumentException} with the line of this node. */
    <T> T checked(Supplier<T> supplier) {
        try {
            return supplier.get();
        } catch (IllegalArgumentException e) {
            throw wrong("is invalid: " + e.getMessage());
        }
    }

    CliException wrong(String what) {
        if (file.equals(BatchFile.COMMAND_LINE)) {
            return CliException.usage((path.isEmpty() ? file : "--" + path.replaceFirst("\\..*", "")) + " " + what);
        }
        return ConfigValues.at(file, line(node), (path.isEmpty() ? "the file" : path) + " " + what);
    }

    static int line(Node node) {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }
}
