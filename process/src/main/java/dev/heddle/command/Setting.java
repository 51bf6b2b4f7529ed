package dev.heddle.command;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.output.Artifacts;
import tools.jackson.databind.JsonNode;

/**
 * What the processes of a type find: where they work, what is around them, and what is copied out when they have ended.
 * Immutable; each method gives a changed copy.
 *
 * @param artifacts the files that are copied out, whether it ended well or not
 */
public record Setting(Place place, Environment environment, Artifacts artifacts) {

    /** Where a process runs. */
    public sealed interface Place {

        /** In a directory that it shares with others. */
        record Directory(Path path) implements Place {}

        /**
         * In a git worktree of its own.
         *
         * @param ref what is checked out: a branch, a tag, a commit; may have {@code {{field}}} in it
         */
        record Worktree(Path repository, String ref) implements Place {}
    }

    /**
     * What a process finds around it.
     *
     * @param variables set for it, over what is inherited
     * @param allowed patterns of variables that it inherits though they look like secrets
     * @param tools programs that must be on the PATH when the node starts
     */
    public record Environment(Map<String, String> variables, Set<String> allowed, List<String> tools) {

        public static final Environment PLAIN = new Environment(Map.of(), Set.of(), List.of());

        public Environment {
            variables = Map.copyOf(variables);
            allowed = Set.copyOf(allowed);
            tools = List.copyOf(tools);
        }
    }

    /** The directory of this process, and nothing of its own. */
    public static Setting here() {
        return new Setting(new Place.Directory(Path.of("").toAbsolutePath()), Environment.PLAIN,
                Artifacts.of(List.of()));
    }

    public Setting directory(Path path) {
        return in(new Place.Directory(path.toAbsolutePath().normalize()));
    }

    /** A git worktree for each attempt, made of this repository at this ref. */
    public Setting worktree(Path repository, String ref) {
        return in(new Place.Worktree(repository.toAbsolutePath().normalize(), ref));
    }

    private Setting in(Place newPlace) {
        return new Setting(newPlace, environment, artifacts);
    }

    public Setting env(String variable, String value) {
        Map<String, String> more = new LinkedHashMap<>(environment.variables);
        more.put(variable, value);
        return around(new Environment(more, environment.allowed, environment.tools));
    }

    /** Lets it inherit variables that look like secrets: names, with {@code *} for any characters. */
    public Setting allow(String... patterns) {
        Set<String> more = new LinkedHashSet<>(environment.allowed);
        more.addAll(List.of(patterns));
        return around(new Environment(environment.variables, more, environment.tools));
    }

    /** Programs that it needs; where one is missing the node does not start. */
    public Setting tools(String... names) {
        return around(new Environment(environment.variables, environment.allowed, List.of(names)));
    }

    private Setting around(Environment newEnvironment) {
        return new Setting(place, newEnvironment, artifacts);
    }

    /** The files to copy out, by globs within its working directory. */
    public Setting artifacts(String... globs) {
        return new Setting(place, environment, Artifacts.of(List.of(globs)));
    }

    /** For one job: with the fields of its payload. */
    public Setting filled(JsonNode payload) {
        return place instanceof Place.Worktree(Path repository, String ref)
                ? in(new Place.Worktree(repository, Arguments.fill(ref, payload)))
                : this;
    }
}
