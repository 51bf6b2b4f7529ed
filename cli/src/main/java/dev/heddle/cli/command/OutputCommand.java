package dev.heddle.cli.command;

import java.util.concurrent.Callable;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.OutputFormat;
import picocli.CommandLine.Mixin;

/** A command that prints data in the format of {@code --output}. */
abstract class OutputCommand implements Callable<Integer> {

    private final CliContext context;

    @Mixin
    private final OutputFormat format = new OutputFormat();

    OutputCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public final Integer call() throws Exception {
        return run().code();
    }

    abstract ExitCode run() throws Exception;

    final CliContext context() {
        return context;
    }

    final CliOutput output() {
        return context.output();
    }

    final OutputFormat format() {
        return format;
    }
}
