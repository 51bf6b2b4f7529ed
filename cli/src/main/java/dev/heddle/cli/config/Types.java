package dev.heddle.cli.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.heddle.agent.Agent;
import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.command.Command;
import dev.heddle.external.External;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The section {@code types} of {@code heddle.yaml}. What a type is, one of its keys says.
 *
 * @param commands those whose jobs are processes of their own
 * @param agents those whose jobs are agents
 * @param external those whose jobs are done by processes that stay
 * @param callbacks who is told of the ends of their jobs, by type and event
 * @param places file and line of each
 */
public record Types(List<Command> commands, List<Agent> agents, List<External<JsonNode, JsonNode>> external,
        Map<String, Map<String, Callback>> callbacks, Map<String, String> places) {

    public static final Types NONE = new Types(List.of(), List.of(), List.of(), Map.of(),
            Map.of());
    /** The keys of which a type has exactly one. */
    private static final List<String> KINDS = List.of(CommandTypes.COMMAND, AgentTypes.AGENT,
            ExternalType.EXTERNAL);
    /** All keys that a type can have, of whatever kind it is. */
    private static final List<String> KEYS = Stream.of(CommandTypes.KEYS, AgentTypes.KEYS, ExternalType.KEYS)
            .flatMap(List::stream).distinct().toList();

    public Types {
        commands = List.copyOf(commands);
        agents = List.copyOf(agents);
        external = List.copyOf(external);
        callbacks = Map.copyOf(callbacks);
        places = Map.copyOf(places);
    }

    /**
     * All types of the section.
     *
     * @param directory where relative paths start
     * @param taken names that are not to be had
     */
    static Types of(@Nullable YamlNode section, Path directory, List<String> taken) {
        List<Command> commands = new ArrayList<>();
        List<Agent> agents = new ArrayList<>();
        List<External<JsonNode, JsonNode>> external = new ArrayList<>();
        Map<String, Map<String, Callback>> callbacks = new LinkedHashMap<>();
        Map<String, String> places = new LinkedHashMap<>();
        TypeKeys shared = new TypeKeys(directory);
        for (Entry type : section == null ? List.<Entry>of() : section.entries()) {
            if (taken.contains(type.key())) {
                throw type.value().wrong("is a type that every node has; choose another name");
            }
            switch (kind(type.value())) {
                case AgentTypes.AGENT -> agents.add(new AgentTypes(shared).of(type, directory));
                case ExternalType.EXTERNAL -> external.add(new ExternalType(shared).of(type));
                default -> commands.add(new CommandTypes(shared).of(type, directory));
            }
            places.put(type.key(), type.value().file() + ":" + type.line());
            callbacks.put(type.key(), CallbackKeys.among(type.value().entries(), directory));
        }
        return new Types(commands, agents, external, callbacks, places);
    }

    private static String kind(YamlNode type) {
        List<String> kinds = type.entries().stream().map(Entry::key).filter(KINDS::contains).toList();
        if (kinds.size() > 1) {
            throw type.wrong("has both " + kinds.getFirst() + " and " + kinds.get(1) + "; keep one of them");
        }
        if (kinds.isEmpty()) {
            // A misspelt one is likelier than none.
            type.entries(KEYS);
            throw type.wrong("has no command; add one, such as command: [make, test], agent: claude,"
                    + " or external: [python3, worker.py] for processes that stay");
        }
        return kinds.getFirst();
    }
}
