package dev.heddle.cli;

import java.io.IOException;
import java.util.concurrent.Callable;

import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.ExitCode;
import picocli.CommandLine.Command;

/** Prints the version. */
@Command(name = "version", description = "Print the version.")
final class VersionCommand implements Callable<Integer> {

    private final CliOutput output;

    VersionCommand(CliOutput output) {
        this.output = output;
    }

    @Override
    public Integer call() throws IOException {
        output.print(Version.line());
        return ExitCode.OK.code();
    }
}
