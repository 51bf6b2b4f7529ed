package dev.heddle.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

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
    "For zsh, add 'source <(heddle completion zsh)' to ~/.zshrc."})
final class CompletionCommand implements Callable<Integer> {

    private static final List<String> SHELLS = List.of("bash", "zsh");

    private final CliOutput output;
    private final Supplier<CommandLine> root;

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.", completionCandidates = Shells.class)
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
    public Integer call() throws IOException {
        if (!SHELLS.contains(shell)) {
            throw CliException
                    .usage("unsupported shell '" + shell + "'" + DidYouMean.hint(shell, SHELLS, "; use bash or zsh"));
        }
        output.out().print(AutoComplete.bash("heddle", root.get())); // the script also runs in zsh
        output.out().print(names());
        output.out().flush();
        return ExitCode.OK.code();
    }

    private static String names() throws IOException {
        try (InputStream script = CompletionCommand.class.getResourceAsStream("names.bash")) {
            return new String(Objects.requireNonNull(script, "names.bash is missing from the build").readAllBytes(),
                    StandardCharsets.UTF_8);
        }
    }
}
