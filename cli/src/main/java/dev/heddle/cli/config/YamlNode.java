package dev.heddle.cli.config;

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

import dev.heddle.cli.config.Values.Leaf;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Nearest;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A place in a YAML file, read as what belongs there; what does not fit is refused with its line.
 *
 * @param path how one comes to it, for messages
 */
record YamlNode(Path file, Node node, String path, Map<String, String> environment) {

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(\\w+)}");

    /** A key with what stands below it. */
    record Entry(String key, int line, YamlNode value) {}

    /** All keys, each once. */
    List<Entry> entries() {
        if (!(node instanceof MappingNode mapping)) {
            throw wrong("must have keys of its own");
        }
        Set<String> seen = new HashSet<>();
        List<Entry> entries = new ArrayList<>();
        for (NodeTuple tuple : mapping.getValue()) {
            String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
            String below = path.isEmpty() ? key : path + "." + key;
            if (!seen.add(key)) {
                throw Values.at(file, line(tuple.getKeyNode()),
                        "'" + below + "' stands here a second time; keep one");
            }
            entries.add(new Entry(key, line(tuple.getKeyNode()),
                    new YamlNode(file, tuple.getValueNode(), below, environment)));
        }
        return entries;
    }

    /** All keys, which must be among those that are known. */
    List<Entry> entries(List<String> known) {
        List<Entry> entries = entries();
        for (Entry entry : entries) {
            if (!known.contains(entry.key)) {
                throw Values.at(file, entry.line, "unknown key '" + entry.value.path + "'"
                        + Nearest.to(entry.key, known)
                                .map(near -> "; did you mean '" + (path.isEmpty() ? "" : path + ".") + near
                                        + "'?")
                                .orElse("; there are " + String.join(", ", known)));
            }
        }
        return entries;
    }

    /** One of the keys, if it is there. */
    Optional<Entry> entry(String key) {
        return entries().stream().filter(entry -> entry.key.equals(key)).findFirst();
    }

    Leaf leaf() {
        if (!(node instanceof ScalarNode scalar)) {
            throw wrong("must be a single value, not a "
                    + (node instanceof MappingNode ? "group of keys" : "list"));
        }
        if (YamlTree.isEmpty(scalar)) {
            throw wrong("has no value; give it one or delete the line");
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

    <T> T as(Kind<T> kind) {
        try {
            return kind.reading().read(leaf().text());
        } catch (IllegalArgumentException e) {
            throw wrong(Objects.requireNonNullElse(e.getMessage(), "cannot be read"));
        }
    }

    /** A list, each of one kind. */
    <T> List<T> list(Kind<T> kind, String example) {
        if (!(node instanceof SequenceNode sequence)) {
            throw wrong("must be a list, such as " + example);
        }
        return sequence.getValue().stream().map(item -> new YamlNode(file, item, path, environment).as(kind))
                .toList();
    }

    /** What is made of this place; what cannot be so is refused with its line. */
    <T> T checked(Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw wrong("cannot be so: " + e.getMessage());
        }
    }

    CliException wrong(String what) {
        if (file.equals(BatchFile.COMMAND_LINE)) {
            return CliException
                    .usage((path.isEmpty() ? file : "--" + path.replaceFirst("\\..*", "")) + " " + what);
        }
        return Values.at(file, line(node), (path.isEmpty() ? "the file" : path) + " " + what);
    }

    static int line(Node node) {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }
}
