package dev.heddle.cli.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.heddle.agent.Agent;
import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.command.CommandSpec;
import dev.heddle.external.External;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The section {@code types} of {@code heddle.yaml}. One of its keys determines the kind of a type.
 *
 * @param commands types that run a command per job
 * @param agents types that run an agent per job
 * @param external types that run on external workers
 * @param callbacks callbacks by type and event
 * @param locations file and line of each type
 */
public record TypesConfig(List<CommandSpec> commands, List<Agent> agents, List<External<JsonNode, JsonNode>> external,
        Map<String, Map<String, Callback>> callbacks, Map<String, String> locations) {

    /** No types. */
    public static final TypesConfig NONE = new TypesConfig(List.of(), List.of(), List.of(), Map.of(), Map.of());
    /** A type has exactly one of these keys. */
    private static final List<String> KINDS = List.of(CommandTypeReader.COMMAND, AgentTypeReader.AGENT,
            ExternalTypeReader.EXTERNAL);
    /** The keys of all kinds of types. */
    private static final List<String> KEYS = Stream
            .of(CommandTypeReader.KEYS, AgentTypeReader.KEYS, ExternalTypeReader.KEYS).flatMap(List::stream).distinct()
            .toList();

    /** Copies all collections. */
    public TypesConfig {
        commands = List.copyOf(commands);
        agents = List.copyOf(agents);
        external = List.copyOf(external);
        callbacks = Map.copyOf(callbacks);
        locations = Map.copyOf(locations);
    }

    /**
     * Reads all types of the section.
     *
     * @param directory base of relative paths
     * @param reserved tests for names that cannot be used
     */
    static TypesConfig of(@Nullable YamlNode section, Path directory, Predicate<String> reserved) {
        List<CommandSpec> commands = new ArrayList<>();
        List<Agent> agents = new ArrayList<>();
        List<External<JsonNode, JsonNode>> external = new ArrayList<>();
        Map<String, Map<String, Callback>> callbacks = new LinkedHashMap<>();
        Map<String, String> locations = new LinkedHashMap<>();
        SharedTypeKeys shared = new SharedTypeKeys(directory);
        for (Entry type : section == null ? List.<Entry>of() : section.entries()) {
            if (reserved.test(type.key())) {
                throw type.value().wrong("is a built-in type; choose another name");
            }
            switch (kind(type.value())) {
                case AgentTypeReader.AGENT -> agents.add(new AgentTypeReader(shared).of(type, directory));
                case ExternalTypeReader.EXTERNAL -> external.add(new ExternalTypeReader(shared).of(type));
                default -> commands.add(new CommandTypeReader(shared).of(type, directory));
            }
            locations.put(type.key(), type.value().file() + ":" + type.line());
            callbacks.put(type.key(), CallbackReader.among(type.value().entries(), directory));
        }
        return new TypesConfig(commands, agents, external, callbacks, locations);
    }

    private static String kind(YamlNode type) {
        List<String> kinds = type.entries().stream().map(Entry::key).filter(KINDS::contains).toList();
        if (kinds.size() > 1) {
            throw type.wrong("has both " + kinds.getFirst() + " and " + kinds.get(1) + "; keep one");
        }
        if (kinds.isEmpty()) {
            // Reports a misspelled key first, which is more likely than a missing one.
            type.entries(KEYS);
            throw type.wrong("has no command, agent or external; add one, such as command: [make, test],"
                    + " agent: claude, or external: [python3, worker.py]");
        }
        return kinds.getFirst();
    }
}
