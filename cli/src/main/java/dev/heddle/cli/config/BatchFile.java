package dev.heddle.cli.config;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.heddle.agent.Agent;
import dev.heddle.batch.BatchPlan;
import dev.heddle.batch.PromptTemplate;
import dev.heddle.batch.Source;
import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.command.Command;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code batch.yaml} says: what does the units, where they come from, and within which bounds. Read as strictly as
 * {@code heddle.yaml}.
 *
 * @param work what does the units
 * @param units where they come from, as it was written
 * @param workers how many at once
 * @param budget the most USD for all of it; null for no bound
 * @param callbacks who is told of its units, by what happened to them
 */
public record BatchFile(String name, Work work, String units, int workers, @Nullable BigDecimal budget,
        Map<String, Callback> callbacks, Path directory, Path file) {

    /** What messages name instead of a file where options say it all. */
    public static final Path COMMAND_LINE = Path.of("the command line");
    private static final List<String> OWN = List.of("name", "units", "workers", "budget",
            CallbackKeys.COMPLETE, CallbackKeys.FAILED);
    private static final int WORKERS = 4;

    /** What does the units. */
    public sealed interface Work {
        /** An agent, with a prompt. */
        record ByAgent(Agent agent) implements Work {}

        record ByCommand(Command command) implements Work {}
    }

    /**
     * Reads one.
     *
     * @param directory where relative paths start
     */
    public static BatchFile read(Path file, String text, Path directory, Map<String, String> environment) {
        YamlNode root = YamlTree.root(file, text, environment);
        List<Entry> keys = root
                .entries(Stream.of(OWN, AgentTypes.KEYS, CommandTypes.KEYS).flatMap(List::stream)
                        .distinct().toList());
        String name = required(root, keys, "name", "name: docs").as(Kind.TEXT);
        String units = required(root, keys, "units", "units: units.csv, or a glob such as src/**/*.java")
                .as(Kind.TEXT);
        Integer workers = find(keys, "workers", Kind.count(1));
        BigDecimal budget = find(keys, "budget", Kind.AMOUNT);
        List<Entry> rest = keys.stream().filter(key -> !OWN.contains(key.key())).toList();
        return new BatchFile(name, work(root, name, rest, directory), units,
                workers == null ? WORKERS : workers, budget,
                CallbackKeys.among(keys, directory), directory, file);
    }

    private static YamlNode required(YamlNode root, List<Entry> keys, String name, String example) {
        return keys.stream().filter(key -> key.key().equals(name)).findFirst().map(Entry::value)
                .orElseThrow(() -> root.wrong("has no " + name + "; add one, such as " + example));
    }

    private static <T> @Nullable T find(List<Entry> keys, String name, Kind<T> kind) {
        return keys.stream().filter(key -> key.key().equals(name)).findFirst()
                .map(key -> key.value().as(kind))
                .orElse(null);
    }

    private static Work work(YamlNode root, String name, List<Entry> keys, Path directory) {
        TypeKeys shared = new TypeKeys(directory);
        boolean command = keys.stream().anyMatch(key -> key.key().equals(CommandTypes.COMMAND));
        boolean agent = keys.stream().anyMatch(key -> key.key().equals(AgentTypes.AGENT));
        if (command == agent) {
            throw root.wrong(command ? "has a command and an agent; keep one of them"
                    : "has neither agent nor command; add one, such as agent: claude");
        }
        List<String> fit = command ? CommandTypes.KEYS : AgentTypes.KEYS;
        for (Entry key : keys) {
            if (!fit.contains(key.key())) {
                throw key.value().wrong("is not for a batch by " + (command ? "a command" : "an agent"));
            }
        }
        if (command) {
            return new Work.ByCommand(new CommandTypes(shared).of(name, root, keys, directory));
        }
        Agent made = new AgentTypes(shared).of(name, root, keys, directory);
        if (made.prompt() == null) {
            throw root.wrong("has no prompt; add one, such as prompt: Document {{path}}.");
        }
        return new Work.ByAgent(made);
    }

    /**
     * The units, each checked against what it is asked.
     *
     * @throws dev.heddle.batch.BatchException for the first thing that is wrong
     */
    public BatchPlan plan() {
        return BatchPlan.of(name, new PromptTemplate(file.toString(), template()),
                Source.of(directory, units));
    }

    /** All text with fields in it: what the batch is known by. */
    private String template() {
        return switch (work) {
            case Work.ByAgent(Agent agent) -> agent.prompt() == null ? "" : agent.prompt().text();
            case Work.ByCommand(Command command) -> String.join("\n",
                    command.steps().stream().flatMap(step -> step.line().stream()).toList());
        };
    }

    /** The prompt as it was read; null for a command. */
    public @Nullable String prompt() {
        return work instanceof Work.ByAgent ? template() : null;
    }
}
