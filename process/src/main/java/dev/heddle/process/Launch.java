package dev.heddle.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import dev.heddle.process.environment.EnvironmentRules;

import static java.util.Objects.requireNonNull;

/**
 * A command to start, with its directory, environment and streams. Immutable; each method returns a changed copy.
 *
 * {@snippet :
 * Launch.of("job 42/1", "git", "status").in(worktree).environment(environment).output(Output.to(log));
 * }
 *
 * @param label what the process is for, in words that people recognize in logs and in the registry
 * @param command the program, looked up on the PATH of the environment, and its arguments
 * @param directory the working directory
 * @param environment all variables of the process, see {@link EnvironmentRules}; a mark and a temp directory are added
 * @param streams what the process reads and writes
 * @param isolation the strongest isolation to use; default the strongest available
 * @param confinement what the process is not allowed to do; default nothing beyond what its user is
 */
public record Launch(String label, List<String> command, WorkingDirectory directory, Map<String, String> environment,
        Streams streams, Isolation isolation, Confinement confinement) {

    /**
     * The working directory of a process.
     *
     * @param exclusive whether only this process uses the directory; any descendant of the node that works there then
     *     belongs to the process
     */
    public record WorkingDirectory(Path path, boolean exclusive) {}

    /** What a process reads and writes. */
    public record Streams(Input input, Output output, Output errors) {}

    /** Copies the collections and checks that the command is complete. */
    public Launch {
        requireNonNull(label, "label");
        requireNonNull(directory, "directory");
        requireNonNull(isolation, "isolation");
        requireNonNull(confinement, "confinement");
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        if (command.isEmpty() || command.getFirst().isBlank()) {
            throw new LaunchException(LaunchException.Kind.INVALID,
                    "the command for " + label + " is empty; give a program to run");
        }
        if (command.stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
            throw new LaunchException(LaunchException.Kind.INVALID,
                    "the command for " + label + " contains a NUL character: " + command.getFirst());
        }
        if (streams.output() instanceof Output.WithOutput) {
            throw new LaunchException(LaunchException.Kind.INVALID,
                    "Output.withOutput() is for errors only; choose where the output of " + label + " goes");
        }
    }

    /**
     * Returns a launch of the command in the directory of this JVM. The process gets no variables and no input, and its
     * output is discarded.
     */
    public static Launch of(String label, List<String> command) {
        return new Launch(label, command, new WorkingDirectory(Path.of("").toAbsolutePath(), false), Map.of(),
                new Streams(Input.none(), Output.discarded(), Output.withOutput()), Isolation.NAMESPACE,
                Confinement.NONE);
    }

    /** Returns a launch as {@link #of(String, List)} does. */
    public static Launch of(String label, String... command) {
        return of(label, List.of(command));
    }

    /** Runs the command in a directory that other processes may use too. */
    public Launch in(Path path) {
        return at(new WorkingDirectory(path.toAbsolutePath(), false));
    }

    /** Runs the command in a directory that no other process uses, such as its worktree. */
    public Launch inExclusive(Path path) {
        return at(new WorkingDirectory(path.toAbsolutePath(), true));
    }

    private Launch at(WorkingDirectory changed) {
        return new Launch(label, command, changed, environment, streams, isolation, confinement);
    }

    /** Sets all variables of the process, in place of those set before. */
    public Launch environment(Map<String, String> variables) {
        return new Launch(label, command, directory, variables, streams, isolation, confinement);
    }

    /** Sets where standard input comes from. */
    public Launch input(Input input) {
        return with(new Streams(input, streams.output(), streams.errors()));
    }

    /** Sets where standard output goes. */
    public Launch output(Output output) {
        return with(new Streams(streams.input(), output, streams.errors()));
    }

    /** Sets where standard error goes. */
    public Launch errors(Output errors) {
        return with(new Streams(streams.input(), streams.output(), errors));
    }

    private Launch with(Streams changed) {
        return new Launch(label, command, directory, environment, changed, isolation, confinement);
    }

    /** Isolates the process at most this strongly. */
    public Launch isolation(Isolation strongest) {
        return new Launch(label, command, directory, environment, streams, strongest, confinement);
    }

    /** Limits what the process can do. */
    public Launch confinement(Confinement limits) {
        return new Launch(label, command, directory, environment, streams, isolation, limits);
    }
}
