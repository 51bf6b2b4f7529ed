package dev.heddle.cli.shell;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports invalid usage in one line: what is wrong and what to do next. */
public final class UsageErrorHandler implements IParameterExceptionHandler {

    private final CliOutput output;

    /** Creates a handler that prints to this output. */
    public UsageErrorHandler(CliOutput output) {
        this.output = output;
    }

    @Override
    public int handleParseException(ParameterException error, String[] args) {
        CommandLine command = error.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        output.error(name + ": " + message(error, command, name));
        return ExitCode.USAGE.code();
    }

    private static String message(ParameterException error, CommandLine command, String name) {
        if (error instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
            return unknown(unmatched.getUnmatched().getFirst(), command, name);
        }
        if (error instanceof MissingParameterException missing && !missing.getMissing().isEmpty()) {
            return "missing " + missing.getMissing().stream()
                    .map(arg -> arg.isOption() ? ((OptionSpec) arg).longestName() : arg.paramLabel())
                    .collect(Collectors.joining(" and ")) + see(name);
        }
        String message = String.valueOf(error.getMessage()).replaceFirst(" \\([^)]*Exception: .*", "")
                .replaceFirst("positional parameter at index \\S+ \\((\\w+)\\)", "$1")
                .replaceFirst("option '([^']+)'(?: \\(\\w+\\))?", "$1")
                .replaceFirst("cannot convert ('.*') to BigDecimal", "$1 is not a number")
                .replaceFirst("' is not an? (int|long)$", "' is not a whole number");
        return Character.toLowerCase(message.charAt(0)) + message.substring(1)
                + (message.contains("; ") ? "" : see(name)); // converters add their own hints
    }

    private static String unknown(String word, CommandLine command, String name) {
        boolean option = word.startsWith("-") && word.length() > 1;
        boolean hasCommands = !command.getSubcommands().isEmpty();
        String kind = option ? "option" : hasCommands ? "command" : "argument";
        Collection<String> known = option ? options(command) : hasCommands ? commands(command) : List.of();
        String bare = word.replaceFirst("=.*", "");
        boolean letter = option && bare.length() == 2; // every other letter is close
        return "unknown " + kind + " '" + word + "'" + (letter ? see(name) : DidYouMean.hint(bare, known, see(name)));
    }

    private static List<String> options(CommandLine command) {
        List<String> names = new ArrayList<>();
        command.getCommandSpec().options().stream().filter(option -> !option.hidden())
                .forEach(option -> names.addAll(List.of(option.names())));
        return names;
    }

    private static List<String> commands(CommandLine command) {
        return command.getSubcommands().entrySet().stream()
                .filter(entry -> !entry.getValue().getCommandSpec().usageMessage().hidden()).map(Map.Entry::getKey)
                .toList();
    }

    private static String see(String command) {
        return "; see '" + command + " --help'";
    }
}
