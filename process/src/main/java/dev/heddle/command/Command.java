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
 * @param setting where they run, what they find there, and what is copied out
 * @param permanentExits the exit codes after which it is not tried again
 */
public record Command(JobType<JsonNode, JsonNode> type, List<Step> steps, Setting setting,
        Set<Integer> permanentExits) {

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
            if (new Template(line.getFirst()).hasFields()) {
                throw new IllegalArgumentException("the program of the " + name
                        + " must not come from the payload, or whoever submits a job could run anything: "
                        + line.getFirst());
            }
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
                Setting.here(), PERMANENT);
    }

    public String name() {
        return type.name();
    }

    /** The same for jobs of another type. */
    public Command named(String other) {
        JobType<JsonNode, JsonNode> renamed = JobType.of(other, JsonNode.class, JsonNode.class);
        renamed = type.retry().map(renamed::retry).orElse(renamed);
        renamed = type.timeout().map(renamed::timeout).orElse(renamed);
        renamed = type.stallAfter().map(renamed::stallAfter).orElse(renamed);
        return new Command(renamed, steps, setting, permanentExits);
    }

    /** Changes the rules of the type: retries, breaker, stall time, group. */
    public Command type(UnaryOperator<JobType<JsonNode, JsonNode>> change) {
        return new Command(change.apply(type), steps, setting, permanentExits);
    }

    /** The most one attempt may take, all its steps together. */
    public Command timeout(Duration limit) {
        return type(now -> now.timeout(limit));
    }

    /** Runs in this directory. */
    public Command directory(Path path) {
        return setting(now -> now.directory(path));
    }

    /** Runs in a git worktree of its own, made of this repository at this ref. */
    public Command worktree(Path repository, String ref) {
        return setting(now -> now.worktree(repository, ref));
    }

    /** Changes where it runs, and what it finds there. */
    public Command setting(UnaryOperator<Setting> change) {
        return new Command(type, steps, change.apply(setting), permanentExits);
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
        return new Command(type, more, setting, permanentExits);
    }

    public Command env(String variable, String value) {
        return setting(now -> now.env(variable, value));
    }

    /** Lets it inherit variables that look like secrets: names, with {@code *} for any characters. */
    public Command allow(String... patterns) {
        return setting(now -> now.allow(patterns));
    }

    /** Programs that it needs; where one is missing the node does not start. */
    public Command tools(String... names) {
        return setting(now -> now.tools(names));
    }

    /** The files to copy out, by globs within its working directory. */
    public Command artifacts(String... globs) {
        return setting(now -> now.artifacts(globs));
    }

    /** The exit codes after which a job is not tried again; 2 and 3 unless told otherwise. */
    public Command permanentExits(Integer... codes) {
        return new Command(type, steps, setting, Set.of(codes));
    }

    /** For one job: with the fields of its payload. */
    Command filled(JsonNode payload) {
        List<Step> filled = steps.stream()
                .map(step -> new Step(step.name, Arguments.fill(step.line, payload))).toList();
        return new Command(type, filled, setting.filled(payload), permanentExits);
    }
}
