package dev.heddle.cli;

import java.util.List;
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

/** Prints what makes a shell complete the commands and options. */
@Command(name = "completion", description = {"Print a completion script for a shell.",
    "bash: source <(heddle completion bash), in ~/.bashrc to keep it.",
    "zsh: source <(heddle completion zsh), in ~/.zshrc after compinit."})
final class CompletionCommand implements Callable<Integer> {

    private static final List<String> SHELLS = List.of("bash", "zsh");

    private final Screen screen;
    private final Supplier<CommandLine> whole;

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.") @SuppressWarnings("NullAway.Init") // set before call()
    private String shell;

    CompletionCommand(Screen screen, Supplier<CommandLine> whole) {
        this.screen = screen;
        this.whole = whole;
    }

    @Override
    public Integer call() {
        if (!SHELLS.contains(shell)) {
            throw CliException.usage("no completion for the shell '" + shell + "'"
                    + Nearest.hint(shell, SHELLS, "; there are bash and zsh"));
        }
        if (shell.equals("zsh")) {
            screen.print("autoload -U +X bashcompinit && bashcompinit");
        }
        screen.out().print(AutoComplete.bash("heddle", whole.get()));
        screen.out().flush();
        return Exit.OK.code();
    }
}
