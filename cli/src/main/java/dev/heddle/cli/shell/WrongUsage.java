package dev.heddle.cli.shell;

import java.util.List;

import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Answers wrong usage with one line that says what is wrong and what to do now. */
public final class WrongUsage implements IParameterExceptionHandler {

    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
        String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
        String line = wrong instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()
                        ? unknown(unmatched, command) : wrong.getMessage() + see(command);
        wrong.getCommandLine().getErr().println(command + ": " + line);
        return Exit.USAGE;
    }

    private static String unknown(UnmatchedArgumentException wrong, String command) {
        boolean hasCommands = !wrong.getCommandLine().getSubcommands().isEmpty();
        String kind = wrong.isUnknownOption() ? "option" : hasCommands ? "command" : "argument";
        List<String> similar = wrong.getSuggestions();
        return "unknown " + kind + " '" + wrong.getUnmatched().getFirst() + "'"
                + (similar.isEmpty() ? see(command)
                        : "; did you mean '" + String.join("' or '", similar) + "'?");
    }

    private static String see(String command) {
        return "; see '" + command + " --help'";
    }
}
