package dev.heddle.cli.config;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.heddle.cli.config.Values.Leaf;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Nearest;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A YAML document as the leaves of {@link Keys}, each with its line. Knows which keys there are, not what they mean. */
final class YamlTree {

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(\\w+)}");

    private final Path file;
    private final Map<String, String> environment;
    private final Map<String, Leaf> leaves = new HashMap<>();

    private YamlTree(Path file, Map<String, String> environment) {
        this.file = file;
        this.environment = environment;
    }

    static Map<String, Leaf> leaves(Path file, String text, Map<String, String> environment) {
        YamlTree tree = new YamlTree(file, environment);
        tree.compose(text).ifPresent(root -> tree.walk(root, ""));
        return tree.leaves;
    }

    private Optional<Node> compose(String text) {
        LoadSettings settings = LoadSettings.builder().setLabel(file.toString()).build();
        try {
            return new Compose(settings).composeString(text);
        } catch (MarkedYamlEngineException e) {
            throw Values.at(file, e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1),
                    "not YAML: " + e.getProblem().replaceAll("\\s+", " ").strip());
        } catch (YamlEngineException e) {
            throw Values.at(file, 1,
                    "not YAML: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private void walk(Node node, String prefix) {
        if (isEmpty(node) && prefix.isEmpty()) {
            return;
        }
        if (!(node instanceof MappingNode mapping)) {
            throw wrong(node, (prefix.isEmpty() ? "the file" : name(prefix))
                    + " must have keys of its own, such as '" + below(prefix).getFirst() + ": …'");
        }
        Set<String> seen = new HashSet<>();
        for (NodeTuple tuple : mapping.getValue()) {
            String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
            if (!seen.add(key)) {
                throw wrong(tuple.getKeyNode(), "'" + prefix + key + "' stands here a second time; keep one");
            }
            take(tuple, prefix, key);
        }
    }

    private void take(NodeTuple tuple, String prefix, String key) {
        String path = prefix + key;
        if (path.equals("types")) {
            throw wrong(tuple.getKeyNode(), "'types' is not supported yet; a node serves the built-in types"
                    + " echo, sleep and fail, and a Java program its own");
        }
        if (Keys.ALL.stream().anyMatch(known -> known.path().equals(path))) {
            leaves.put(path, leaf(tuple.getValueNode(), path));
        } else if (Keys.ALL.stream().anyMatch(known -> known.path().startsWith(path + "."))) {
            walk(tuple.getValueNode(), path + ".");
        } else {
            throw wrong(tuple.getKeyNode(), "unknown key '" + path + "'" + suggestion(prefix, key));
        }
    }

    private static String suggestion(String prefix, String key) {
        List<String> siblings = below(prefix);
        Optional<String> near = Nearest.to(key, siblings);
        // It may be the right key in the wrong place.
        Optional<String> elsewhere = Keys.ALL.stream().map(Key::path)
                .filter(path -> path.equals(key) || path.endsWith("." + key)).findFirst();
        return near.map(found -> "; did you mean '" + prefix + found + "'?")
                .or(() -> elsewhere.map(found -> "; did you mean '" + found + "'?"))
                .orElse("; there are " + String.join(", ", siblings));
    }

    /** The keys one level below. */
    private static List<String> below(String prefix) {
        return Keys.ALL.stream().map(Key::path).filter(path -> path.startsWith(prefix))
                .map(path -> path.substring(prefix.length()).replaceFirst("\\..*", "")).distinct().toList();
    }

    private Leaf leaf(Node node, String path) {
        if (!(node instanceof ScalarNode scalar)) {
            throw wrong(node, path + " must be a single value, not a "
                    + (node instanceof MappingNode ? "group of keys" : "list"));
        }
        if (isEmpty(scalar)) {
            throw wrong(scalar, path + " has no value; give it one or delete the line");
        }
        return new Leaf(resolve(scalar, path), line(scalar));
    }

    private String resolve(ScalarNode scalar, String path) {
        Matcher reference = REFERENCE.matcher(scalar.getValue());
        if (!reference.matches()) {
            return scalar.getValue();
        }
        String value = environment.get(reference.group(1));
        if (value == null || value.isEmpty()) {
            throw wrong(scalar, path + " refers to the environment variable " + reference.group(1)
                    + ", which is not set");
        }
        return value;
    }

    private static boolean isEmpty(Node node) {
        return node.getTag().equals(Tag.NULL);
    }

    private static String name(String prefix) {
        return prefix.substring(0, prefix.length() - 1);
    }

    private CliException wrong(Node node, String what) {
        return Values.at(file, line(node), what);
    }

    private static int line(Node node) {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }
}
