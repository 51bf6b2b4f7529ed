package dev.heddle.cli.serve;

import java.nio.file.Path;
import java.util.List;

import dev.heddle.agent.Agent;
import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.config.BatchFile;
import dev.heddle.cli.config.BatchFile.Work;
import dev.heddle.cli.config.Callback;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.command.CommandSpec;
import dev.heddle.command.WorkspaceSpec.Location;
import dev.heddle.process.Executables;
import dev.heddle.process.LaunchException;

/** Checks before a batch starts that its programs, callbacks and repositories exist on this machine. */
record BatchPreflight(CliContext context) {

    void check(BatchFile batch) {
        switch (batch.work()) {
            case Work.ByAgent(Agent agent) ->
                check(List.of(agent.call().program().getFirst()), agent.workspace().location());
            case Work.ByCommand(CommandSpec command) ->
                check(command.steps().stream().map(step -> step.commandLine().getFirst()).toList(),
                        command.workspace().location());
        }
        for (Callback callback : batch.callbacks().values()) {
            if (callback instanceof Callback.ByCommand(List<String> line, Path directory)) {
                requireProgram(line.getFirst(), directory);
            }
        }
    }

    private void check(List<String> programs, Location location) {
        switch (location) {
            case Location.Directory(Path directory) -> programs.forEach(program -> requireProgram(program, directory));
            case Location.Worktree(Path repository, String _) -> {
                new RepositoryCheck(context).check(repository);
                // Programs inside the worktree cannot be checked before it exists.
                programs.stream().filter(program -> !Executables.isRelativePath(program))
                        .forEach(program -> requireProgram(program, repository));
            }
        }
    }

    /** Skips programs that are templates, because each unit names its own. */
    private void requireProgram(String program, Path directory) {
        if (program.contains("{{")) {
            return;
        }
        try {
            Executables.locate(program, directory, context.options().environment());
        } catch (LaunchException e) {
            throw new CliException(ExitCode.NOT_FOUND, String.valueOf(e.getMessage()), e);
        }
    }
}
