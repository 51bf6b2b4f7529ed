package dev.heddle.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What to start and how. Immutable; each method gives a changed copy.
 *
 * {@snippet :
 * Launch.of("job 42/1", "git", "status").in(worktree).environment(environment).output(Output.to(log));
 * }
 *
 * @param run what this is for, as people know it: it is in the logs and in the registry
 * @param command the program, looked up on the PATH of the environment, and its arguments
 * @param place where it runs
 * @param environment all of its variables, see {@link EnvironmentRules}; a mark and a temp directory are added
 * @param streams what it reads and writes
 * @param isolation how firmly it is held, at most; default as firmly as can be
 */
public record Launch(String run, List<String> command, Place place, Map<String, String> environment,
        Streams streams,
        Isolation isolation) {

    /**
     * Where a process runs.
     *
     * @param own whether the directory is this process's alone, so that whatever the node started and works in there is part of it
     */
    public record Place(Path directory, boolean own) {}

    /** What a process reads and writes. */
    public record Streams(Input input, Output output, Output errors) {}

    public Launch {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        if (command.isEmpty() || command.getFirst().isBlank()) {
            throw new LaunchException(LaunchException.Kind.INVALID,
                    "there is no command to start for " + run);
        }
        if (command.stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
            throw new LaunchException(LaunchException.Kind.INVALID,
                    "the command for " + run + " has a NUL character in it: " + command.getFirst());
        }
        if (streams.output() instanceof Output.WithOutput) {
            throw new LaunchException(LaunchException.Kind.INVALID,
                    "only errors can go where the output goes; say where the output goes");
        }
    }

    /** Runs in the node's own directory, with no variables at all, reads nothing, and what it writes is lost. */
    public static Launch of(String run, List<String> command) {
        return new Launch(run, command, new Place(Path.of("").toAbsolutePath(), false), Map.of(),
                new Streams(Input.none(), Output.discarded(), Output.withOutput()), Isolation.NAMESPACE);
    }

    public static Launch of(String run, String... command) {
        return of(run, List.of(command));
    }

    /** In a directory that others may use too. */
    public Launch in(Path directory) {
        return at(new Place(directory.toAbsolutePath(), false));
    }

    /** In a directory that is this process's alone, such as its worktree. */
    public Launch inOwn(Path directory) {
        return at(new Place(directory.toAbsolutePath(), true));
    }

    private Launch at(Place newPlace) {
        return new Launch(run, command, newPlace, environment, streams, isolation);
    }

    public Launch environment(Map<String, String> variables) {
        return new Launch(run, command, place, variables, streams, isolation);
    }

    public Launch input(Input input) {
        return with(new Streams(input, streams.output(), streams.errors()));
    }

    public Launch output(Output output) {
        return with(new Streams(streams.input(), output, streams.errors()));
    }

    public Launch errors(Output errors) {
        return with(new Streams(streams.input(), streams.output(), errors));
    }

    private Launch with(Streams newStreams) {
        return new Launch(run, command, place, environment, newStreams, isolation);
    }

    public Launch isolation(Isolation atMost) {
        return new Launch(run, command, place, environment, streams, atMost);
    }
}
