package dev.heddle.cli;

import java.io.IOException;
import java.util.concurrent.Callable;

import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Screen;
import picocli.CommandLine.Command;

/** Prints the version. */
@Command(name = "version", description = "Print the version.")
final class VersionCommand implements Callable<Integer> {

    private final Screen screen;

    VersionCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() throws IOException {
        screen.print(Version.line());
        return Exit.OK.code();
    }
}
