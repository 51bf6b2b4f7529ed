package dev.heddle.cli;

import java.io.IOException;
import java.util.concurrent.Callable;

import dev.heddle.cli.access.GlobalOptions;
import dev.heddle.cli.shell.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root command. */
@Command(name = "heddle", description = "Run jobs durably on supervised workers.",
        versionProvider = HeddleCommand.Provider.class, synopsisSubcommandLabel = "COMMAND", footer = {
            "", "Run 'heddle COMMAND --help' for details of a command.",
            "Exit codes: 0 success, 1 failure, 2 invalid usage, 3 not found, 4 denied,",
            "            5 unreachable, 124 timeout."})
@SuppressWarnings("UnusedVariable") // picocli reads the options
final class HeddleCommand implements Callable<Integer> {

    @Mixin
    private final GlobalOptions options;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.",
            scope = ScopeType.INHERIT)
    private boolean help;

    @Option(names = {"-V", "--version"}, versionHelp = true, description = "Print the version and exit.")
    private boolean version;

    @Spec
    @SuppressWarnings("NullAway.Init") // set before call()
    private CommandSpec spec;

    HeddleCommand(GlobalOptions options) {
        this.options = options;
    }

    static final class Provider implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            return new String[]{Version.line()};
        }
    }

    /** Prints the usage, as an error, if no command was given. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE.code();
    }
}
