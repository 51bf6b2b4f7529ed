package dev.heddle.cli.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.command.Command;
import dev.heddle.job.RetryPolicy;
import org.jspecify.annotations.Nullable;

/** The section {@code types} of {@code heddle.yaml}: job types that are commands. */
final class CommandTypes {

    private static final String COMMAND = "command";
    private static final String LINE = "[make, test]";
    /** Every key of a type, in the order of the documentation. */
    static final List<String> KEYS = List.of(COMMAND, "build", "test", "directory", "worktree", "env",
            "allow",
            "tools", "artifacts", "timeout", "stallAfter", "retries", "backoff", "permanentExits");
    private static final List<String> PLACES = List.of("directory", "worktree");
    private static final List<String> WORKTREE_KEYS = List.of("repo", "ref");
    /** Words of a command line may be anything, also empty. */
    private static final Kind<String> WORD = new Kind<>("text", word -> word);
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(5);

    private final Path directory;

    private CommandTypes(Path directory) {
        this.directory = directory;
    }

    /**
     * All types of the section.
     *
     * @param directory where relative paths start
     * @param taken names that are not to be had
     */
    static List<Command> of(@Nullable YamlNode types, Path directory, List<String> taken) {
        List<Command> commands = new ArrayList<>();
        for (Entry type : types == null ? List.<Entry>of() : types.entries()) {
            if (taken.contains(type.key())) {
                throw type.value().wrong("is a type that every node has; choose another name");
            }
            commands.add(new CommandTypes(directory).command(type));
        }
        return List.copyOf(commands);
    }

    private Command command(Entry type) {
        List<Entry> keys = type.value().entries(KEYS);
        if (keys.stream().filter(key -> PLACES.contains(key.key())).count() > 1) {
            throw type.value().wrong("has a directory and a worktree; keep one of them");
        }
        Entry line = keys.stream().filter(key -> key.key().equals(COMMAND)).findFirst()
                .orElseThrow(() -> type.value().wrong("has no command; add one, such as command: " + LINE));
        Command command = checked(line.value(),
                () -> Command.of(type.key(), line.value().list(WORD, LINE)).directory(directory));
        for (Entry key : keys) {
            Command before = command;
            command = checked(key.value(), () -> with(before, key.key(), key.value()));
        }
        return command;
    }

    private static Command checked(YamlNode where, Supplier<Command> change) {
        try {
            return change.get();
        } catch (IllegalArgumentException e) {
            throw where.wrong("cannot be so: " + e.getMessage());
        }
    }

    private Command with(Command command, String key, YamlNode value) {
        return switch (key) {
            case "build" -> command.build(array(value.list(WORD, LINE)));
            case "test" -> command.test(array(value.list(WORD, LINE)));
            case "directory" -> command.directory(directory.resolve(value.as(Kind.TEXT)));
            case "worktree" -> worktree(command, value);
            case "env" -> env(command, value);
            case "allow" -> command.allow(array(value.list(Kind.TEXT, "[NPM_TOKEN]")));
            case "tools" -> command.tools(array(value.list(Kind.TEXT, "[git, ruff]")));
            case "artifacts" -> command.artifacts(array(value.list(Kind.TEXT, "[build/reports/**]")));
            case "timeout" -> command.timeout(value.as(Kind.SPAN));
            case "stallAfter" -> command.type(type -> type.stallAfter(value.as(Kind.SPAN)));
            case "retries" ->
                retry(command, new RetryPolicy(value.as(Kind.count(0)), retry(command).backoff()));
            case "backoff" -> retry(command, RetryPolicy.exponential(retry(command).maxRetries(),
                    value.as(Kind.SPAN), LONGEST_BACKOFF));
            case "permanentExits" -> command.permanentExits(
                    value.list(Kind.count(1), "[2, 3]").toArray(Integer[]::new));
            default -> command;
        };
    }

    private static Command retry(Command command, RetryPolicy policy) {
        return command.type(type -> type.retry(policy));
    }

    private static RetryPolicy retry(Command command) {
        return command.type().retry().orElse(RetryPolicy.standard());
    }

    private Command worktree(Command command, YamlNode value) {
        Map<String, String> keys = value.entries(WORKTREE_KEYS).stream()
                .collect(Collectors.toMap(Entry::key, key -> key.value().as(Kind.TEXT)));
        String repository = keys.get("repo");
        if (repository == null) {
            throw value.wrong("has no repo; add one, such as repo: .");
        }
        return command.worktree(directory.resolve(repository), keys.getOrDefault("ref", "HEAD"));
    }

    private static Command env(Command command, YamlNode value) {
        Command changed = command;
        for (Entry variable : value.entries()) {
            changed = changed.env(variable.key(), variable.value().leaf().text());
        }
        return changed;
    }

    private static String[] array(List<String> words) {
        return words.toArray(String[]::new);
    }
}
