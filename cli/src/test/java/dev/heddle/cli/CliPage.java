package dev.heddle.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Generates the reference part of {@code docs/cli.md} from the commands. */
final class CliPage {

    private static final List<String> GLOBAL_OPTIONS = List.of("--help", "--version", "--home", "--config");
    private static final Set<String> COMMAND_LINES = Set.of("CMD", "COMMAND");

    private CliPage() {}

    static String of(CommandLine whole) {
        return commands(whole).map(CliPage::section).collect(Collectors.joining("\n"));
    }

    static Stream<CommandLine> commands(CommandLine parent) {
        return parent.getSubcommands().values().stream().filter(line -> !line.getCommandSpec().usageMessage().hidden())
                .flatMap(line -> line.getSubcommands().isEmpty() ? Stream.of(line) : commands(line));
    }

    private static String section(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        StringBuilder page = new StringBuilder("### ").append(spec.qualifiedName()).append("\n`").append(synopsis(spec))
                .append("`\n\n").append(String.join(" ", spec.usageMessage().description())).append("\n");
        List<String> examples = HelpLayout.examples(spec);
        if (!examples.isEmpty()) {
            page.append("\n```\n");
            examples.forEach(example -> page.append(example.strip()).append("\n"));
            page.append("```\n");
        }
        List<ArgSpec> arguments = spec.args().stream().filter(arg -> !arg.hidden())
                .filter(arg -> !(arg instanceof OptionSpec option && GLOBAL_OPTIONS.contains(option.longestName())))
                .toList();
        if (!arguments.isEmpty()) {
            page.append("\n| | |\n|---|---|\n");
            arguments.forEach(arg -> page.append("| `").append(name(arg).replace("|", "\\|")).append("` | ")
                    .append(String.join(" ", arg.description())).append(" |\n"));
        }
        return page.toString();
    }

    private static String synopsis(CommandSpec spec) {
        String positional = spec.positionalParameters().stream()
                .map(arg -> (arg.arity().min() == 0 ? " [%s]" : " %s").formatted(argument(arg)))
                .collect(Collectors.joining());
        boolean hasOptions = spec.options().stream()
                .anyMatch(option -> !GLOBAL_OPTIONS.contains(option.longestName()));
        String options = hasOptions ? " [OPTIONS]" : "";
        // A command line is passed on as it is, so Heddle's own options come before it.
        return spec.qualifiedName()
                + (takesCommandLine(spec) ? options + " --" + positional : positional + options);
    }

    private static boolean takesCommandLine(CommandSpec spec) {
        return spec.positionalParameters().stream().anyMatch(arg -> COMMAND_LINES.contains(arg.paramLabel()));
    }

    private static String argument(ArgSpec arg) {
        return arg.arity().max() > 1 ? arg.paramLabel() + "…" : arg.paramLabel();
    }

    private static String name(ArgSpec arg) {
        if (!(arg instanceof OptionSpec option)) {
            return arg.paramLabel();
        }
        String names = Arrays.stream(option.names()).collect(Collectors.joining(", "));
        return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
    }
}
