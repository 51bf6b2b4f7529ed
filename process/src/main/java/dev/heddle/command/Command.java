package dev.heddle.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import dev.heddle.job.JobType;
import dev.heddle.output.Artifacts;
import tools.jackson.databind.JsonNode;

/**
 * A job type whose jobs are run by a command line. Immutable; each method gives a changed copy.
 *
 * {@snippet :
 * Command lint = Command.of("lint", "ruff", "check", "--", "{{path}}").worktree(Path.of("/src/app"), "main")
 *         .artifacts("reports/**").tools("git", "ruff").timeout(Duration.ofMinutes(5));
 * }
 *
 * <p>{@code {{field}}} in an argument is a field of the job's payload. Each argument is filled in by itself and no shell
 * reads it. The payload is also on the standard input, and in the file that {@code HEDDLE_PAYLOAD_PATH} names. What the
 * command writes to the file that {@code HEDDLE_RESULT_PATH} names, as JSON, is the job's result.
 *
 * @param type its name, and the rules that its jobs run by
 * @param steps the command lines
 * @param place where they run
 * @param environment what they find there
 * @param artifacts the files that are copied out when it has ended, whether well or not
 * @param permanentExits the exit codes after which it is not tried again
 */
public record Command(JobType<JsonNode, JsonNode> type, List<Step> steps, Place place,
        Environment environment,
        Artifacts artifacts, Set<Integer> permanentExits) {

    /** The name of the step that the job is about. */
    public static final String COMMAND = "command";
    private static final String BUILD = "build";
    private static final String TEST = "test";
    /** A configuration that is wrong and a tool that is missing do not get better by trying again. */
    private static final Set<Integer> PERMANENT = Set.of(2, 3);

    /**
     * One command line of a job; the next is run where it exits with 0.
     *
     * @param name build, command or test
     */
    public record Step(String name, List<String> line) {
        public Step {
            line = List.copyOf(line);
            if (line.isEmpty() || line.getFirst().isBlank()) {
                throw new IllegalArgumentException("the " + name + " has no program to run");
            }
            if (Template.hasFields(line.getFirst())) {
                throw new IllegalArgumentException("the program of the " + name
                        + " must not come from the payload, or whoever submits a job could run anything: "
                        + line.getFirst());
            }
        }
    }

    /** Where a command runs. */
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
     * What a command finds around it.
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

    public Command {
        steps = List.copyOf(steps);
        permanentExits = Set.copyOf(permanentExits);
    }

    /** Runs in the node's own directory. */
    public static Command of(String type, String... line) {
        return of(type, List.of(line));
    }

    public static Command of(String type, List<String> line) {
        return new Command(JobType.of(type, JsonNode.class, JsonNode.class), List.of(new Step(COMMAND, line)),
                new Place.Directory(Path.of("").toAbsolutePath()), Environment.PLAIN, Artifacts.of(List.of()),
                PERMANENT);
    }

    public String name() {
        return type.name();
    }

    /** Changes the rules of the type: retries, breaker, stall time, group. */
    public Command type(UnaryOperator<JobType<JsonNode, JsonNode>> change) {
        return new Command(change.apply(type), steps, place, environment, artifacts, permanentExits);
    }

    /** The most one attempt may take, all its steps together. */
    public Command timeout(Duration limit) {
        return type(now -> now.timeout(limit));
    }

    /** Runs in this directory. */
    public Command directory(Path path) {
        return in(new Place.Directory(path.toAbsolutePath().normalize()));
    }

    /** Runs in a git worktree of its own, made of this repository at this ref. */
    public Command worktree(Path repository, String ref) {
        return in(new Place.Worktree(repository.toAbsolutePath().normalize(), ref));
    }

    private Command in(Place newPlace) {
        return new Command(type, steps, newPlace, environment, artifacts, permanentExits);
    }

    /** Run before the command: makes what it needs. */
    public Command build(String... line) {
        return with(new Step(BUILD, List.of(line)), 0);
    }

    /** Run after the command: judges what it did. */
    public Command test(String... line) {
        return with(new Step(TEST, List.of(line)), steps.size());
    }

    private Command with(Step step, int at) {
        List<Step> more = new ArrayList<>(steps);
        more.add(at, step);
        return new Command(type, more, place, environment, artifacts, permanentExits);
    }

    public Command env(String variable, String value) {
        Map<String, String> more = new LinkedHashMap<>(environment.variables);
        more.put(variable, value);
        return around(new Environment(more, environment.allowed, environment.tools));
    }

    /** Lets it inherit variables that look like secrets: names, with {@code *} for any characters. */
    public Command allow(String... patterns) {
        Set<String> more = new LinkedHashSet<>(environment.allowed);
        more.addAll(List.of(patterns));
        return around(new Environment(environment.variables, more, environment.tools));
    }

    /** Programs that it needs; where one is missing the node does not start. */
    public Command tools(String... names) {
        return around(new Environment(environment.variables, environment.allowed, List.of(names)));
    }

    private Command around(Environment newEnvironment) {
        return new Command(type, steps, place, newEnvironment, artifacts, permanentExits);
    }

    /** The files to copy out, by globs within its working directory. */
    public Command artifacts(String... globs) {
        return new Command(type, steps, place, environment, Artifacts.of(List.of(globs)), permanentExits);
    }

    /** The exit codes after which a job is not tried again; 2 and 3 unless told otherwise. */
    public Command permanentExits(Integer... codes) {
        return new Command(type, steps, place, environment, artifacts, Set.of(codes));
    }

    /** For one job: with the fields of its payload. */
    Command filled(JsonNode payload) {
        List<Step> filled = steps.stream().map(step -> new Step(step.name, Template.fill(step.line, payload)))
                .toList();
        Place there = place instanceof Place.Worktree(Path repository, String ref)
                ? new Place.Worktree(repository, Template.fill(ref, payload))
                : place;
        return new Command(type, filled, there, environment, artifacts, permanentExits);
    }
}
