package dev.heddle.cli.serve;

import java.nio.file.Path;
import java.util.List;

import dev.heddle.agent.Agent;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.config.BatchFile;
import dev.heddle.cli.config.BatchFile.Work;
import dev.heddle.cli.config.Callback;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.command.Command;
import dev.heddle.command.Setting.Place;
import dev.heddle.process.LaunchException;
import dev.heddle.process.Tools;
import dev.heddle.worktree.WorktreeException;
import dev.heddle.worktree.Worktrees;

/** What the units of a batch, and telling of them, need on this machine; what is not there is said before anything starts. */
record BatchNeeds(Desk desk) {

    void check(BatchFile batch) {
        switch (batch.work()) {
            case Work.ByAgent(Agent agent) ->
                check(List.of(agent.call().program().getFirst()), agent.setting().place());
            case Work.ByCommand(Command command) ->
                check(command.steps().stream().map(step -> step.line().getFirst()).toList(),
                        command.setting().place());
        }
        for (Callback callback : batch.callbacks().values()) {
            if (callback instanceof Callback.ByCommand(List<String> line, Path directory)) {
                program(line.getFirst(), directory);
            }
        }
    }

    private void check(List<String> programs, Place place) {
        switch (place) {
            case Place.Directory(Path directory) ->
                programs.forEach(program -> program(program, directory));
            case Place.Worktree(Path repository, String _) -> {
                repository(repository);
                // What is in a worktree is seen when there is one.
                programs.stream().filter(program -> !program.contains("/") || Path.of(program).isAbsolute())
                        .forEach(program -> program(program, repository));
            }
        }
    }

    /** Of what a unit names nothing can be said yet. */
    private void program(String program, Path directory) {
        if (program.contains("{{")) {
            return;
        }
        try {
            Tools.locate(program, directory, desk.place().environment());
        } catch (LaunchException e) {
            throw new CliException(Exit.NOT_FOUND, String.valueOf(e.getMessage()), e);
        }
    }

    private void repository(Path repository) {
        try {
            if (Worktrees.hasUncommittedChanges(repository)) {
                desk.screen()
                        .say(repository + " has changes that are not committed; the units do not see them");
            }
        } catch (WorktreeException e) {
            throw CliException.usage(String.valueOf(e.getMessage()));
        }
    }
}
