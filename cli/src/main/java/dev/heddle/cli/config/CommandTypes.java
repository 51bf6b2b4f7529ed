package dev.heddle.cli.config;

import java.nio.file.Path;
import java.util.List;

import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.command.Command;

import static dev.heddle.cli.config.TypeKeys.array;

/** Job types that are commands. */
record CommandTypes(TypeKeys shared) {

    static final String COMMAND = "command";
    private static final String LINE = "[make, test]";
    /** Every key of such a type, in the order of the documentation. */
    static final List<String> KEYS = List.of(COMMAND, "build", "test", "directory", "worktree", "env",
            "allow",
            "tools", "artifacts", "timeout", "stallAfter", "retries", "backoff", "permanentExits",
            CallbackKeys.COMPLETE, CallbackKeys.FAILED);

    Command of(Entry type, Path directory) {
        return of(type.key(), type.value(), type.value().entries(KEYS), directory);
    }

    /** A command of a name, from keys that are all a command's. */
    Command of(String name, YamlNode where, List<Entry> keys, Path directory) {
        TypeKeys.check(where, keys);
        Entry line = keys.stream().filter(key -> key.key().equals(COMMAND)).findFirst().orElseThrow();
        Command command = line.value()
                .checked(() -> Command.of(name, line.value().list(Kind.WORD, LINE)).directory(directory));
        for (Entry key : keys) {
            Command before = command;
            command = key.value().checked(() -> with(before, key.key(), key.value()));
        }
        return command;
    }

    private Command with(Command command, String key, YamlNode value) {
        return switch (key) {
            case "build" -> command.build(array(value.list(Kind.WORD, LINE)));
            case "test" -> command.test(array(value.list(Kind.WORD, LINE)));
            case "permanentExits" -> command.permanentExits(
                    value.list(Kind.count(1), "[2, 3]").toArray(Integer[]::new));
            default -> command.setting(setting -> shared.setting(setting, key, value))
                    .type(type -> shared.rules(type, key, value));
        };
    }
}
