package dev.heddle.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.DidYouMean;
import dev.heddle.cli.shell.ExitCode;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints a script that completes commands, options, and the ids and names that exist at that moment. */
@Command(name = "completion", description = {"Print a shell completion script.",
    "For bash, add 'source <(heddle completion bash)' to ~/.bashrc.",
    "For zsh, add 'source <(heddle completion zsh)' to ~/.zshrc.",
    "For fish, write it to ~/.config/fish/completions/heddle.fish."})
final class CompletionCommand implements Callable<Integer> {

    private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

    private final CliOutput output;
    private final Supplier<CommandLine> root;

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.", completionCandidates = Shells.class)
    @SuppressWarnings("NullAway.Init") // set before call()
    private String shell;

    static final class Shells extends ArrayList<String> {
        Shells() {
            super(SHELLS);
        }
    }

    CompletionCommand(CliOutput output, Supplier<CommandLine> root) {
        this.output = output;
        this.root = root;
    }

    @Override
    public Integer call() {
        if (!SHELLS.contains(shell)) {
            throw CliException.usage(
                    "unsupported shell '" + shell + "'" + DidYouMean.hint(shell, SHELLS, "; use bash, zsh or fish"));
        }
        output.out().print(shell.equals("fish") ? FishCompletion.script(root.get()) : bash(root.get()));
        output.out().flush();
        return ExitCode.OK.code();
    }

    /** The script also runs in zsh. */
    private static String bash(CommandLine root) {
        String listings = CompletedNames.listings().entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\") list=(" + entry.getValue() + ") ;;")
                .collect(Collectors.joining("\n    "));
        return AutoComplete.bash("heddle", root) + HelpLayout.resource("names.bash").replace("# LISTINGS", listings);
    }
}
