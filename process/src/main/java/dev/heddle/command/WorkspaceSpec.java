package dev.heddle.command;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.output.Artifacts;
import dev.heddle.process.Confinement;
import dev.heddle.process.Sandbox;
import dev.heddle.process.environment.EnvironmentRules;
import tools.jackson.databind.JsonNode;

/**
 * Describes where the processes of a job type run, their environment, what they can reach and may do, and the artifacts
 * to collect. Immutable; each method returns a changed copy.
 *
 * @param location where the processes run
 * @param environment their variables and tools
 * @param confinement the user as which they run, and their sandbox
 * @param spawns the types of jobs that the processes may submit as children of theirs
 * @param artifacts the files to copy out at the end, whether the run succeeded or not
 */
public record WorkspaceSpec(Location location, Environment environment, Confinement confinement, Set<String> spawns,
        Artifacts artifacts) {

    /** Copies the types. */
    public WorkspaceSpec {
        spawns = Set.copyOf(spawns);
    }

    /** Where a process runs. */
    public sealed interface Location {

        /** A directory that runs share. */
        record Directory(Path path) implements Location {}

        /**
         * A git worktree per attempt.
         *
         * @param repository the repository to check out
         * @param ref a branch, a tag or a commit; may contain {@code {{field}}} for fields of the payload
         */
        record Worktree(Path repository, String ref) implements Location {}
    }

    /** Which variables of the node a process inherits, apart from those that are allowed by name. */
    public enum Inherit {
        /** None. */
        NONE,
        /** Those that nearly every program needs, see {@link EnvironmentRules#BASIC}. */
        BASIC,
        /** All that do not look like secrets. */
        ALL
    }

    /**
     * The environment of a process.
     *
     * @param inherit which variables of the node it inherits
     * @param variables variables to set; they replace inherited ones
     * @param allowed patterns of variables to inherit in any case, even if they look like secrets
     * @param tools programs that must be on the PATH when the node starts
     */
    public record Environment(Inherit inherit, Map<String, String> variables, Set<String> allowed,
            List<String> tools) {

        /** All variables that do not look like secrets, no tools. */
        public static final Environment DEFAULT = new Environment(Inherit.ALL, Map.of(), Set.of(), List.of());

        /** Copies the collections. */
        public Environment {
            variables = Map.copyOf(variables);
            allowed = Set.copyOf(allowed);
            tools = List.copyOf(tools);
        }
    }

    /** Returns a workspace in the current directory of this process, with the default environment and no artifacts. */
    public static WorkspaceSpec inCurrentDirectory() {
        return new WorkspaceSpec(new Location.Directory(Path.of("").toAbsolutePath()), Environment.DEFAULT,
                Confinement.NONE, Set.of(), Artifacts.of(List.of()));
    }

    /** Runs in this directory. */
    public WorkspaceSpec directory(Path path) {
        return with(new Location.Directory(path.toAbsolutePath().normalize()));
    }

    /** Runs in a git worktree per attempt, checked out from this repository at this ref. */
    public WorkspaceSpec worktree(Path repository, String ref) {
        return with(new Location.Worktree(repository.toAbsolutePath().normalize(), ref));
    }

    private WorkspaceSpec with(Location newLocation) {
        return new WorkspaceSpec(newLocation, environment, confinement, spawns, artifacts);
    }

    /** Sets an environment variable. */
    public WorkspaceSpec env(String variable, String value) {
        Map<String, String> more = new LinkedHashMap<>(environment.variables);
        more.put(variable, value);
        return with(new Environment(environment.inherit, more, environment.allowed, environment.tools));
    }

    /** Sets which variables of the node the processes inherit; the default is {@link Inherit#ALL}. */
    public WorkspaceSpec inherit(Inherit which) {
        return with(new Environment(which, environment.variables, environment.allowed, environment.tools));
    }

    /** Lets processes inherit variables in any case, by name; {@code *} matches any characters. */
    public WorkspaceSpec allow(String... patterns) {
        Set<String> more = new LinkedHashSet<>(environment.allowed);
        more.addAll(List.of(patterns));
        return with(new Environment(environment.inherit, environment.variables, more, environment.tools));
    }

    /** Sets the programs that the processes need. If one is missing, the node does not start. */
    public WorkspaceSpec tools(String... names) {
        return with(new Environment(environment.inherit, environment.variables, environment.allowed, List.of(names)));
    }

    private WorkspaceSpec with(Environment newEnvironment) {
        return new WorkspaceSpec(location, newEnvironment, confinement, spawns, artifacts);
    }

    /** Runs the processes as another user, by name or number. The node must run as root. */
    public WorkspaceSpec runAs(String user) {
        return new WorkspaceSpec(location, environment, confinement.user(user), spawns, artifacts);
    }

    /** Runs the processes in a sandbox. The machine must have bubblewrap. */
    public WorkspaceSpec sandbox(Sandbox sandbox) {
        return new WorkspaceSpec(location, environment, confinement.sandbox(sandbox), spawns, artifacts);
    }

    /** Sets the types of jobs that the processes may submit as children of theirs, over the node's API. */
    public WorkspaceSpec spawns(String... types) {
        return new WorkspaceSpec(location, environment, confinement, Set.of(types), artifacts);
    }

    /** Sets the files to copy out of the working directory at the end, by globs. */
    public WorkspaceSpec artifacts(String... globs) {
        return new WorkspaceSpec(location, environment, confinement, spawns, Artifacts.of(List.of(globs)));
    }

    /** Fills in the fields of a job's payload. */
    public WorkspaceSpec resolve(JsonNode payload) {
        return location instanceof Location.Worktree(Path repository, String ref)
                ? with(new Location.Worktree(repository, Arguments.fill(ref, payload))) : this;
    }
}
