package dev.heddle.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

import dev.heddle.job.JobType;
import dev.heddle.template.Template;
import tools.jackson.databind.JsonNode;

/**
 * A job type whose jobs are command lines. Immutable; each method returns a changed copy.
 *
 * {@snippet :
 * CommandSpec lint = CommandSpec.of("lint", "ruff", "check", "--", "{{path}}")
 *         .worktree(Path.of("/src/app"), "main").artifacts("reports/**").tools("git", "ruff")
 *         .timeout(Duration.ofMinutes(5));
 * }
 *
 * <p>{@code {{field}}} in an argument is a field of the job's payload. Each argument is filled in separately and no
 * shell reads it. The command gets the payload on its standard input, and in the file that {@code HEDDLE_PAYLOAD_PATH}
 * names. If it writes JSON to the file that {@code HEDDLE_RESULT_PATH} names, that is the job's result.
 *
 * @param type the job type with its name, timeout and retries
 * @param steps the command lines, in the order in which they run
 * @param workspace where they run, their environment, and the artifacts to collect
 * @param permanentExits the exit codes after which a job is not retried
 */
public record CommandSpec(JobType<JsonNode, JsonNode> type, List<Step> steps, WorkspaceSpec workspace,
        Set<Integer> permanentExits) {

    /** The name of the main step. */
    public static final String COMMAND = "command";
    private static final String BUILD = "build";
    private static final String TEST = "test";
    /** A wrong configuration and a missing tool fail again on every retry. */
    private static final Set<Integer> DEFAULT_PERMANENT_EXITS = Set.of(2, 3);

    /**
     * One command line of a job. The next step runs if it exits with 0.
     *
     * @param name {@code build}, {@code command} or {@code test}
     * @param commandLine the program and its arguments
     */
    public record Step(String name, List<String> commandLine) {

        /** Checks that there is a program, and that it does not come from the payload. */
        public Step {
            commandLine = List.copyOf(commandLine);
            if (commandLine.isEmpty() || commandLine.getFirst().isBlank()) {
                throw new IllegalArgumentException("the " + name + " has no program to run");
            }
            if (new Template(commandLine.getFirst()).hasFields()) {
                throw new IllegalArgumentException("the program of the " + name
                        + " must not come from the payload, or anyone who submits a job could run any program: "
                        + commandLine.getFirst());
            }
        }
    }

    /** Copies the collections. */
    public CommandSpec {
        steps = List.copyOf(steps);
        permanentExits = Set.copyOf(permanentExits);
    }

    /** Creates a job type that runs a command line in the current directory. */
    public static CommandSpec of(String type, String... commandLine) {
        return of(type, List.of(commandLine));
    }

    /** Creates a job type that runs a command line in the current directory. */
    public static CommandSpec of(String type, List<String> commandLine) {
        return new CommandSpec(JobType.of(type, JsonNode.class, JsonNode.class),
                List.of(new Step(COMMAND, commandLine)), WorkspaceSpec.inCurrentDirectory(), DEFAULT_PERMANENT_EXITS);
    }

    /** Returns the name of the job type. */
    public String name() {
        return type.name();
    }

    /** Returns the same command under another job type name, with the timeouts and retries of this one. */
    public CommandSpec named(String other) {
        JobType<JsonNode, JsonNode> renamed = JobType.of(other, JsonNode.class, JsonNode.class);
        renamed = type.retry().map(renamed::retry).orElse(renamed);
        renamed = type.timeout().map(renamed::timeout).orElse(renamed);
        renamed = type.stallAfter().map(renamed::stallAfter).orElse(renamed);
        return new CommandSpec(renamed, steps, workspace, permanentExits);
    }

    /** Changes the job type: retries, circuit breaker, stall time, worker group. */
    public CommandSpec type(UnaryOperator<JobType<JsonNode, JsonNode>> change) {
        return new CommandSpec(change.apply(type), steps, workspace, permanentExits);
    }

    /** Sets how long one attempt may take, all steps together. */
    public CommandSpec timeout(Duration limit) {
        return type(jobType -> jobType.timeout(limit));
    }

    /** Runs in this directory, which jobs share. */
    public CommandSpec directory(Path path) {
        return workspace(spec -> spec.directory(path));
    }

    /** Runs in a git worktree per attempt, checked out from this repository at this ref. */
    public CommandSpec worktree(Path repository, String ref) {
        return workspace(spec -> spec.worktree(repository, ref));
    }

    /** Changes where the command runs, its environment, and the artifacts to collect. */
    public CommandSpec workspace(UnaryOperator<WorkspaceSpec> change) {
        return new CommandSpec(type, steps, change.apply(workspace), permanentExits);
    }

    /** Adds a step before all others, which builds what the command needs. */
    public CommandSpec build(String... commandLine) {
        return insert(0, new Step(BUILD, List.of(commandLine)));
    }

    /** Adds a step after all others, which checks what the command did. */
    public CommandSpec test(String... commandLine) {
        return insert(steps.size(), new Step(TEST, List.of(commandLine)));
    }

    private CommandSpec insert(int index, Step step) {
        List<Step> more = new ArrayList<>(steps);
        more.add(index, step);
        return new CommandSpec(type, more, workspace, permanentExits);
    }

    /** Sets an environment variable for all steps. */
    public CommandSpec env(String variable, String value) {
        return workspace(spec -> spec.env(variable, value));
    }

    /** Lets the command inherit variables that look like secrets, by name; {@code *} matches any characters. */
    public CommandSpec allow(String... patterns) {
        return workspace(spec -> spec.allow(patterns));
    }

    /** Sets the programs that the command needs. If one is missing, the node does not start. */
    public CommandSpec tools(String... names) {
        return workspace(spec -> spec.tools(names));
    }

    /** Sets the files to copy out of the working directory at the end, by globs. */
    public CommandSpec artifacts(String... globs) {
        return workspace(spec -> spec.artifacts(globs));
    }

    /** Sets the exit codes after which a job is not retried; the default is 2 and 3. */
    public CommandSpec permanentExits(Integer... codes) {
        return new CommandSpec(type, steps, workspace, Set.of(codes));
    }

    /** Fills in the fields of a job's payload. */
    CommandSpec resolve(JsonNode payload) {
        List<Step> resolved = steps.stream().map(step -> new Step(step.name, Arguments.fill(step.commandLine, payload)))
                .toList();
        return new CommandSpec(type, resolved, workspace.resolve(payload), permanentExits);
    }
}
