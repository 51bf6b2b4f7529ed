package dev.heddle.cli;

import java.io.IOException;
import java.util.concurrent.Callable;

import dev.heddle.cli.access.Place;
import dev.heddle.cli.shell.Exit;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command itself, without the others. */
@Command(name = "heddle", description = "A durable worker pool.", versionProvider = HeddleCommand.Provider.class, synopsisSubcommandLabel = "COMMAND")
@SuppressWarnings("UnusedVariable") // picocli reads the options
final class HeddleCommand implements Callable<Integer> {

    @Mixin private final Place place;

    @Option(names = {"-h",
        "--help"}, usageHelp = true, description = "Show this and exit.", scope = ScopeType.INHERIT) private boolean help;

    @Option(names = {"-V",
        "--version"}, versionHelp = true, description = "Print the version and exit.") private boolean version;

    @Spec @SuppressWarnings("NullAway.Init") // set before call()
    private CommandSpec spec;

    HeddleCommand(Place place) {
        this.place = place;
    }

    static final class Provider implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            return new String[]{Version.line()};
        }
    }

    /** Without a command there is nothing to do, which is a mistake of usage. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Exit.USAGE.code();
    }
}
