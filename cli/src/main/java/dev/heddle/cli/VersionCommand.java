package dev.heddle.cli;

import java.util.concurrent.Callable;

import dev.heddle.cli.shell.Exit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the version. */
@Command(name = "version", description = "Print the version.")
final class VersionCommand implements Callable<Integer> {

    @Spec @SuppressWarnings("NullAway.Init") // set before call()
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        for (String line : new Version().getVersion()) {
            spec.commandLine().getOut().println(line);
        }
        return Exit.OK.code();
    }
}
