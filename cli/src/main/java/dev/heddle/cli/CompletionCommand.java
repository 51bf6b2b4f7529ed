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
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Nearest;
import dev.heddle.cli.shell.Screen;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints what makes a shell complete commands, options, and the ids and names that are there. */
@Command(name = "completion", description = {"Print a completion script for a shell.",
    "bash: source <(heddle completion bash), in ~/.bashrc to keep it.",
    "zsh: source <(heddle completion zsh), in ~/.zshrc to keep it."})
final class CompletionCommand implements Callable<Integer> {

    private static final List<String> SHELLS = List.of("bash", "zsh");

    private final Screen screen;
    private final Supplier<CommandLine> whole;

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.", completionCandidates = Shells.class) @SuppressWarnings("NullAway.Init") // set before call()
    private String shell;

    static final class Shells extends ArrayList<String> {
        Shells() {
            super(SHELLS);
        }
    }

    CompletionCommand(Screen screen, Supplier<CommandLine> whole) {
        this.screen = screen;
        this.whole = whole;
    }

    @Override
    public Integer call() throws IOException {
        if (!SHELLS.contains(shell)) {
            throw CliException.usage("no completion for the shell '" + shell + "'"
                    + Nearest.hint(shell, SHELLS, "; there are bash and zsh"));
        }
        screen.out().print(AutoComplete.bash("heddle", whole.get())); // zsh runs it too, and it sees to that
        screen.out().print(names());
        screen.out().flush();
        return Exit.OK.code();
    }

    private static String names() throws IOException {
        try (InputStream script = CompletionCommand.class.getResourceAsStream("names.bash")) {
            return new String(
                    Objects.requireNonNull(script, "names.bash is missing from the build").readAllBytes(),
                    StandardCharsets.UTF_8);
        }
    }
}
