package dev.heddle.cli.config;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.heddle.agent.Agent;
import dev.heddle.batch.BatchPlan;
import dev.heddle.batch.PromptTemplate;
import dev.heddle.batch.UnitSource;
import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.command.CommandSpec;
import org.jspecify.annotations.Nullable;

/**
 * A {@code batch.yaml}: what runs for each unit, where the units come from, and the limits. Read as strictly as {@code
 * heddle.yaml}.
 *
 * @param work the agent or command that runs for each unit
 * @param units source of the units, as written in the file
 * @param workers units to run at the same time
 * @param budget maximum cost in USD of the whole batch; null for no limit
 * @param callbacks callbacks by event
 */
public record BatchFile(String name, Work work, String units, int workers, @Nullable BigDecimal budget,
        Map<String, Callback> callbacks, Path directory, Path file) {

    /** Stands for the file in messages if options define the batch. */
    public static final Path COMMAND_LINE = Path.of("the command line");
    private static final List<String> BATCH_KEYS = List.of("name", "units", "workers", "budget",
            CallbackReader.COMPLETE, CallbackReader.FAILED);
    private static final int DEFAULT_WORKERS = 4;

    /** What runs for each unit. */
    public sealed interface Work {
        /** Runs an agent with a prompt. */
        record ByAgent(Agent agent) implements Work {}

        /** Runs a command. */
        record ByCommand(CommandSpec command) implements Work {}
    }

    /**
     * Reads a batch file.
     *
     * @param directory base of relative paths
     */
    public static BatchFile read(Path file, String text, Path directory, Map<String, String> environment) {
        YamlNode root = YamlTree.root(file, text, environment);
        List<Entry> keys = root.entries(Stream.of(BATCH_KEYS, AgentTypeReader.KEYS, CommandTypeReader.KEYS)
                .flatMap(List::stream).distinct().toList());
        String name = required(root, keys, "name", "name: docs").as(ValueType.TEXT);
        String units = required(root, keys, "units", "units: units.csv, or a glob such as src/**/*.java")
                .as(ValueType.TEXT);
        Integer workers = find(keys, "workers", ValueType.count(1));
        BigDecimal budget = find(keys, "budget", ValueType.AMOUNT);
        List<Entry> rest = keys.stream().filter(key -> !BATCH_KEYS.contains(key.key())).toList();
        return new BatchFile(name, work(root, name, rest, directory), units,
                workers == null ? DEFAULT_WORKERS : workers, budget, CallbackReader.among(keys, directory), directory,
                file);
    }

    private static YamlNode required(YamlNode root, List<Entry> keys, String name, String example) {
        return keys.stream().filter(key -> key.key().equals(name)).findFirst().map(Entry::value)
                .orElseThrow(() -> root.wrong("has no " + name + "; add one, such as " + example));
    }

    private static <T> @Nullable T find(List<Entry> keys, String name, ValueType<T> kind) {
        return keys.stream().filter(key -> key.key().equals(name)).findFirst().map(key -> key.value().as(kind))
                .orElse(null);
    }

    private static Work work(YamlNode root, String name, List<Entry> keys, Path directory) {
        SharedTypeKeys shared = new SharedTypeKeys(directory);
        boolean command = keys.stream().anyMatch(key -> key.key().equals(CommandTypeReader.COMMAND));
        boolean agent = keys.stream().anyMatch(key -> key.key().equals(AgentTypeReader.AGENT));
        if (command == agent) {
            throw root.wrong(command ? "has both command and agent; keep one"
                    : "has no agent or command; add one, such as agent: claude");
        }
        List<String> allowed = command ? CommandTypeReader.KEYS : AgentTypeReader.KEYS;
        for (Entry key : keys) {
            if (!allowed.contains(key.key())) {
                throw key.value().wrong("cannot be used with " + (command ? "a command" : "an agent"));
            }
        }
        if (command) {
            return new Work.ByCommand(new CommandTypeReader(shared).of(name, root, keys, directory));
        }
        Agent read = new AgentTypeReader(shared).of(name, root, keys, directory);
        if (read.prompt() == null) {
            throw root.wrong("has no prompt; add one, such as prompt: Document {{path}}.");
        }
        return new Work.ByAgent(read);
    }

    /**
     * Reads the units and checks each against the template.
     *
     * @throws dev.heddle.batch.BatchException for the first invalid unit
     */
    public BatchPlan plan() {
        return BatchPlan.of(name, new PromptTemplate(file.toString(), template()), UnitSource.of(directory, units));
    }

    /** Returns all text that may contain fields. It identifies the batch. */
    private String template() {
        return switch (work) {
            case Work.ByAgent(Agent agent) -> agent.prompt() == null ? "" : agent.prompt().text();
            case Work.ByCommand(CommandSpec command) ->
                String.join("\n", command.steps().stream().flatMap(step -> step.commandLine().stream()).toList());
        };
    }

    /** Returns the prompt, or null for a command. */
    public @Nullable String prompt() {
        return work instanceof Work.ByAgent ? template() : null;
    }
}
