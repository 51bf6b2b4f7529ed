package dev.heddle.cli.config;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import dev.heddle.cli.config.ConfigValues.Leaf;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.DidYouMean;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Splits {@code heddle.yaml} into the values of {@link ConfigKeys}, each with its line, and the sections whose keys the
 * user chooses. Knows which keys exist but not what they mean.
 */
final class YamlTree {

    private static final int MAX_DEPTH = 100;

    private final Path file;
    private final Map<String, String> environment;
    private final Set<String> ignored;
    private final Map<String, Leaf> leaves = new HashMap<>();
    private final Map<String, YamlNode> sections = new HashMap<>();

    /**
     * The content of a file.
     *
     * @param sections the sections of {@link ConfigKeys#SECTIONS} that are present
     */
    record Content(Map<String, Leaf> leaves, Map<String, YamlNode> sections) {}

    private YamlTree(Path file, Map<String, String> environment, Set<String> ignored) {
        this.file = file;
        this.environment = environment;
        this.ignored = ignored;
    }

    /** Splits a file. The values of ignored paths are not looked at. */
    static Content read(Path file, String text, Map<String, String> environment, Set<String> ignored) {
        YamlTree tree = new YamlTree(file, environment, ignored);
        tree.compose(text).ifPresent(root -> tree.walk(root, ""));
        return new Content(tree.leaves, tree.sections);
    }

    /** Parses a document other than {@code heddle.yaml}. */
    static YamlNode root(Path file, String text, Map<String, String> environment) {
        Node root = new YamlTree(file, environment, Set.of()).compose(text)
                .orElseThrow(() -> ConfigValues.at(file, 1, "the file is empty"));
        return new YamlNode(file, root, "", environment);
    }

    private Optional<Node> compose(String text) {
        LoadSettings settings = LoadSettings.builder().setLabel(file.toString()).build();
        try {
            requireShallow(new Parse(settings).parseString(text));
            return new Compose(settings).composeString(text);
        } catch (MarkedYamlEngineException e) {
            throw ConfigValues.at(file, e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1),
                    "not YAML: " + e.getProblem().replaceAll("\\s+", " ").strip());
        } catch (YamlEngineException e) {
            throw ConfigValues.at(file, 1,
                    "not YAML: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }

    /** Everything that reads a tree calls itself for each level, so a deep one would exhaust the stack. */
    private void requireShallow(Iterable<Event> events) {
        int depth = 0;
        for (Event event : events) {
            switch (event.getEventId()) {
                case MappingStart, SequenceStart -> depth++;
                case MappingEnd, SequenceEnd -> depth--;
                default -> {
                    // scalars and markers have no depth
                }
            }
            if (depth > MAX_DEPTH) {
                throw ConfigValues.at(file, event.getStartMark().map(mark -> mark.getLine() + 1).orElse(1),
                        "nested more than " + MAX_DEPTH + " levels deep");
            }
        }
    }

    private void walk(Node node, String prefix) {
        if (isEmpty(node) && prefix.isEmpty()) {
            return;
        }
        if (!(node instanceof MappingNode mapping)) {
            throw wrong(node, (prefix.isEmpty() ? "the file" : name(prefix)) + " must be a mapping with keys such as '"
                    + keysBelow(prefix).getFirst() + "'");
        }
        YamlNode here = new YamlNode(file, mapping, prefix.isEmpty() ? "" : name(prefix), environment);
        here.entries().forEach(entry -> add(entry, prefix));
    }

    private void add(YamlNode.Entry entry, String prefix) {
        String path = prefix + entry.key();
        if (ignored.contains(path)) {
            return;
        }
        if (ConfigKeys.SECTIONS.contains(path)) {
            sections.put(path, entry.value());
        } else if (ConfigKeys.ALL.stream().anyMatch(known -> known.path().equals(path))) {
            leaves.put(path, entry.value().leaf());
        } else if (ConfigKeys.ALL.stream().anyMatch(known -> known.path().startsWith(path + "."))) {
            walk(entry.value().node(), path + ".");
        } else {
            throw ConfigValues.at(file, entry.line(), "unknown key '" + path + "'" + suggestion(prefix, entry.key()));
        }
    }

    private static String suggestion(String prefix, String key) {
        List<String> siblings = keysBelow(prefix);
        Optional<String> near = DidYouMean.closest(key, siblings);
        // The key may be right but in the wrong section.
        Optional<String> elsewhere = ConfigKeys.ALL.stream().map(ConfigKey::path)
                .filter(path -> path.equals(key) || path.endsWith("." + key)).findFirst();
        return near.map(found -> "; did you mean '" + prefix + found + "'?")
                .or(() -> elsewhere.map(found -> "; did you mean '" + found + "'?"))
                .orElse("; known keys: " + String.join(", ", siblings));
    }

    /** Returns the keys one level below the prefix. */
    private static List<String> keysBelow(String prefix) {
        return Stream.concat(ConfigKeys.ALL.stream().map(ConfigKey::path), ConfigKeys.SECTIONS.stream())
                .filter(path -> path.startsWith(prefix))
                .map(path -> path.substring(prefix.length()).replaceFirst("\\..*", "")).distinct().toList();
    }

    static boolean isEmpty(Node node) {
        return node.getTag().equals(Tag.NULL);
    }

    private static String name(String prefix) {
        return prefix.substring(0, prefix.length() - 1);
    }

    private CliException wrong(Node node, String what) {
        return ConfigValues.at(file, YamlNode.line(node), what);
    }
}
