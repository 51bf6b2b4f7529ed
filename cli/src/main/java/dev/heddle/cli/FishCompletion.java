package dev.heddle.cli;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Writes the completion script for fish, which picocli has none for: a line per command and option. */
final class FishCompletion {

    private final StringBuilder script = new StringBuilder("# Completes heddle in fish.\n")
            .append(HelpLayout.resource("names.fish"));

    private FishCompletion() {}

    static String script(CommandLine root) {
        FishCompletion completion = new FishCompletion();
        completion.add(root, "");
        CompletedNames.listings().forEach((command, listing) -> completion.line("__heddle_in " + command,
                "-a " + quoted("(__heddle_list " + listing + ")")));
        completion.line("__heddle_at submit", "-a " + quoted("(__heddle_types)"));
        return completion.script.toString();
    }

    private void add(CommandLine line, String path) {
        line.getCommandSpec().options().stream().filter(option -> !option.hidden())
                .forEach(option -> option(option, path));
        line.getCommandSpec().positionalParameters().stream()
                .filter(argument -> argument.completionCandidates() != null)
                .forEach(argument -> line("__heddle_at" + path,
                        "-a " + quoted(candidates(argument.completionCandidates()))));
        for (Map.Entry<String, CommandLine> command : line.getSubcommands().entrySet()) {
            CommandSpec spec = command.getValue().getCommandSpec();
            if (!spec.usageMessage().hidden()) {
                line("__heddle_at" + path,
                        "-a " + command.getKey() + " -d " + quoted(first(spec.usageMessage().description())));
                add(command.getValue(), path + " " + command.getKey());
            }
        }
    }

    private void option(OptionSpec option, String path) {
        String names = Arrays.stream(option.names())
                .map(name -> name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1))
                .collect(Collectors.joining(" "));
        String value = option.arity().min() == 0 ? ""
                : option.completionCandidates() == null ? " -r -F"
                        : " -x -a " + quoted(candidates(option.completionCandidates()));
        line("__heddle_in" + path, names + value + " -d " + quoted(first(option.description())));
    }

    private static String candidates(Iterable<String> values) {
        return StreamSupport.stream(values.spliterator(), false).collect(Collectors.joining(" "));
    }

    private void line(String condition, String rest) {
        script.append("complete -c heddle -n ").append(quoted(condition)).append(' ').append(rest).append('\n');
    }

    private static String first(String[] lines) {
        return lines.length == 0 ? "" : lines[0];
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
