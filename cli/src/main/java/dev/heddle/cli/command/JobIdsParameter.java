package dev.heddle.cli.command;

import java.util.List;

import picocli.CommandLine.Parameters;

/** The jobs that a command is about, as a mixin. */
final class JobIdsParameter {

    @Parameters(paramLabel = "ID", arity = "1..*", description = "Job ids, or unique prefixes of them.")
    private List<String> ids = List
            .of();

    List<String> get() {
        return ids;
    }
}
