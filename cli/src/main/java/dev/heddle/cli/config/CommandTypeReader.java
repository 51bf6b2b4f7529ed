package dev.heddle.cli.config;

import java.nio.file.Path;
import java.util.List;

import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.command.CommandSpec;

import static dev.heddle.cli.config.SharedTypeKeys.array;

/** Reads job types that run commands. */
record CommandTypeReader(SharedTypeKeys shared) {

    static final String COMMAND = "command";
    private static final String EXAMPLE = "[make, test]";
    /** All keys of such a type, in the order of the documentation. */
    static final List<String> KEYS = List.of(COMMAND, "build", "test", "directory", "worktree", "env", "inherit",
            "allow",
            "tools", "runAs", "isolation", "sandbox", "spawns", "artifacts", "timeout", "stallAfter", "searchable",
            "retries",
            "backoff",
            "permanentExits", CallbackReader.COMPLETE,
            CallbackReader.FAILED);

    CommandSpec of(Entry type, Path directory) {
        return of(type.key(), type.value(), type.value().entries(KEYS), directory);
    }

    /** Reads a command with the given name from keys that all belong to commands. */
    CommandSpec of(String name, YamlNode where, List<Entry> keys, Path directory) {
        SharedTypeKeys.check(where, keys);
        Entry line = keys.stream().filter(key -> key.key().equals(COMMAND)).findFirst().orElseThrow();
        CommandSpec command = line.value()
                .checked(() -> CommandSpec.of(name, line.value().list(ValueType.WORD, EXAMPLE)).directory(directory));
        for (Entry key : keys) {
            CommandSpec before = command;
            command = key.value().checked(() -> with(before, key.key(), key.value()));
        }
        return command;
    }

    private CommandSpec with(CommandSpec command, String key, YamlNode value) {
        return switch (key) {
            case "build" -> command.build(array(value.list(ValueType.WORD, EXAMPLE)));
            case "test" -> command.test(array(value.list(ValueType.WORD, EXAMPLE)));
            case "permanentExits" ->
                command.permanentExits(value.list(ValueType.count(1), "[2, 3]").toArray(Integer[]::new));
            default -> command.workspace(setting -> shared.setting(setting, key, value))
                    .type(type -> shared.rules(type, key, value));
        };
    }
}
