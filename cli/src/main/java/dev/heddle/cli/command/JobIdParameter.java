package dev.heddle.cli.command;

import picocli.CommandLine.Parameters;

/** The job that a command is about, as a mixin. */
final class JobIdParameter {

    @Parameters(paramLabel = "ID", description = "Job id, or a unique prefix of it.")
    @SuppressWarnings("NullAway.Init") // set before call()
    private String id;

    String get() {
        return id;
    }
}
