package dev.heddle.cli.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.heddle.agent.Agent;
import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.command.Command;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code types} of {@code heddle.yaml}. What a type is, one of its keys says.
 */
record TypesSection(List<Command> commands, List<Agent> agents) {

    /** All keys that a type can have, of whatever kind it is. */
    private static final List<String> KEYS = Stream
            .concat(CommandTypes.KEYS.stream(), AgentTypes.KEYS.stream())
            .distinct().toList();

    /**
     * All types of the section.
     *
     * @param directory where relative paths start
     * @param taken names that are not to be had
     */
    static TypesSection of(@Nullable YamlNode types, Path directory, List<String> taken) {
        List<Command> commands = new ArrayList<>();
        List<Agent> agents = new ArrayList<>();
        TypeKeys shared = new TypeKeys(directory);
        for (Entry type : types == null ? List.<Entry>of() : types.entries()) {
            if (taken.contains(type.key())) {
                throw type.value().wrong("is a type that every node has; choose another name");
            }
            switch (kind(type)) {
                case AgentTypes.AGENT -> agents.add(new AgentTypes(shared).of(type, directory));
                default -> commands.add(new CommandTypes(shared).of(type, directory));
            }
        }
        return new TypesSection(List.copyOf(commands), List.copyOf(agents));
    }

    private static String kind(Entry type) {
        List<String> kinds = type.value().entries().stream().map(Entry::key)
                .filter(List.of(CommandTypes.COMMAND, AgentTypes.AGENT)::contains).toList();
        if (kinds.size() > 1) {
            throw type.value().wrong("is a command and an agent; keep one of them");
        }
        if (kinds.isEmpty()) {
            // A misspelt one is likelier than none.
            type.value().entries(KEYS);
            throw type.value()
                    .wrong("has no command; add one, such as command: [make, test], or agent: claude");
        }
        return kinds.getFirst();
    }
}
