package dev.heddle.cli.command;

import picocli.CommandLine.Parameters;

/** The worker that a command is about, as a mixin. */
final class WorkerIdParameter {

    @Parameters(paramLabel = "ID", description = "Worker id, a unique prefix of it, or its name without the node.")
    @SuppressWarnings("NullAway.Init") // set before call()
    private String id;

    String get() {
        return id;
    }
}
