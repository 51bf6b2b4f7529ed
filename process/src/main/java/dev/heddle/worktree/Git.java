package dev.heddle.worktree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import dev.heddle.process.ShortCommand;
import dev.heddle.process.environment.EnvironmentRules;
import dev.heddle.worktree.WorktreeException.Kind;

/**
 * Runs the git command, isolated from the node and from what a job may have put into the repository: few variables, no
 * hooks, no prompts, no programs that the configuration names, nothing left running, messages in English.
 */
final class Git {

    /** Git for repositories whose configuration is not trusted, because jobs can write it. */
    static final Git UNTRUSTED = new Git(false);

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);
    /** Jobs can make git show another object instead of one that is stored. */
    private static final Map<String, String> AS_STORED = Map.of("GIT_NO_REPLACE_OBJECTS", "1");
    /** How often to try an operation that another git process blocks. */
    static final int MAX_TRIES = 10;
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(10);
    /** Commands that do not look at files, and so run no filter. Even {@code write-tree} does, to refresh the index. */
    private static final Set<String> PLUMBING = Set.of("rev-parse", "commit-tree", "update-ref", "config");
    private static final Map<String, String> VARIABLES = Map.of("LC_ALL", "C", "GIT_TERMINAL_PROMPT", "0",
            "GIT_OPTIONAL_LOCKS", "0", "GIT_EDITOR", "false", "GIT_SEQUENCE_EDITOR", "false", "GIT_PAGER", "cat");
    /** Without a transport, git cannot fetch missing objects, which is what the settings of remotes are for. */
    private static final Map<String, String> UNTRUSTED_VARIABLES = Map.of("GIT_ALLOW_PROTOCOL", "none",
            "GIT_NO_LAZY_FETCH", "1", "GIT_ASKPASS", "", "GIT_SSH_COMMAND", "false");

    private final boolean trusted;

    /**
     * Creates a git.
     *
     * @param trusted whether repositories may name filters, and remotes to fetch missing objects from
     */
    Git(boolean trusted) {
        this.trusted = trusted;
    }

    /** The exit code and output of a git command. */
    record Result(int exit, String out, String err) {

        boolean ok() {
            return exit == 0;
        }

        /** Returns the parts of the output of a command with {@code -z}. */
        List<String> parts() {
            return Arrays.stream(out.split("\0", -1)).filter(part -> !part.isEmpty()).toList();
        }

        String line() {
            return out.strip();
        }

        boolean mentions(String... texts) {
            return Arrays.stream(texts).anyMatch(err::contains);
        }

        /** Returns the line in which git explains the failure. */
        String errorLine() {
            return err.lines().map(String::strip).filter(line -> line.startsWith("fatal:") || line.startsWith("error:"))
                    .findFirst().or(() -> err.lines().filter(line -> !line.isBlank()).findFirst())
                    .orElse("exit code " + exit);
        }
    }

    Result run(Path directory, String... arguments) {
        return run(directory, Map.of(), arguments);
    }

    Result run(Path directory, Map<String, String> variables, String... arguments) {
        if (PLUMBING.contains(arguments[0])) {
            return run(directory, variables, List.of(), arguments);
        }
        Result listed = settings(directory, variables);
        return listed.ok() ? run(directory, variables, listed.parts(), arguments) : listed;
    }

    /** Lists the names of the repository's settings. */
    Result settings(Path directory, Map<String, String> variables) {
        return run(directory, variables, List.of(), "config", "--list", "--name-only", "-z");
    }

    /**
     * Runs git in a repository with these settings.
     *
     * @param settings the names of all settings of the repository, whose programs do not run
     */
    Result run(Path directory, Map<String, String> variables, List<String> settings, String... arguments) {
        return run(directory, variables, settings, TIMEOUT, Integer.MAX_VALUE, arguments);
    }

    /**
     * Runs git for someone who waits for the answer.
     *
     * @param most the most bytes of its output that are returned
     */
    Result read(Path directory, int most, String... arguments) {
        Result listed = settings(directory, Map.of());
        return listed.ok() ? run(directory, AS_STORED, listed.parts(), READ_TIMEOUT, most, arguments) : listed;
    }

    private Result run(Path directory, Map<String, String> variables, List<String> settings, Duration timeout,
            int most, String... arguments) {
        Map<String, String> environment = environment(System.getenv());
        environment.putAll(PinnedSettings.variables(PinnedSettings.of(settings, trusted)));
        environment.putAll(variables);
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        try {
            ShortCommand.Result result = ShortCommand.run(command, directory, environment, timeout, most);
            return new Result(result.exit(), result.out(), result.err());
        } catch (IOException e) {
            throw Files.isDirectory(directory)
                    ? new WorktreeException(Kind.INVALID,
                            "git cannot be started; install it or add it to the PATH (" + e.getMessage() + ")", e)
                    : new WorktreeException(Kind.TRANSIENT, "the directory " + directory + " does not exist", e);
        }
    }

    /** Returns the variables of git, given those of the node. */
    Map<String, String> environment(Map<String, String> node) {
        EnvironmentRules rules = trusted ? EnvironmentRules.standard()
                : EnvironmentRules.standard().inheriting(EnvironmentRules.BASIC);
        Map<String, String> environment = new TreeMap<>(rules.inherit(node));
        environment.keySet().removeIf(name -> name.startsWith("GIT_"));
        environment.putAll(VARIABLES);
        if (!trusted) {
            environment.putAll(UNTRUSTED_VARIABLES);
        }
        return environment;
    }

    /** Tells whether another git process blocked this one, which passes once the other one has advanced. */
    static boolean isBusy(Result result) {
        // The last text is about a worktree that is just being created: git reads the files of all worktrees, complete
        // or not.
        return !result.ok()
                && result.mentions("File exists", "could not lock", "Unable to create", "failed to read worktrees/");
    }

    /** Waits for a blocking git process, longer with each try: five seconds in total. */
    static void backOff(int tries) {
        try {
            Thread.sleep(FIRST_BACKOFF.multipliedBy(1L << (tries - 1)));
        } catch (InterruptedException e) {
            // The caller tries again anyway, without waiting.
            Thread.currentThread().interrupt();
        }
    }

    /** Tells whether the disk is full. A checkout on a full disk only says that it could not write a file. */
    static boolean isDiskFull(Result result) {
        return result.mentions("No space left on device", "Disk quota exceeded", "unable to write file",
                "unable to write new index file");
    }

    /** Creates the exception for a command that failed: "cannot {@code purpose}: …". */
    static WorktreeException failure(String purpose, Path directory, Result result) {
        return new WorktreeException(Kind.TRANSIENT,
                "cannot " + purpose + ": "
                        + (isDiskFull(result)
                                ? "the disk of " + directory + " is full or not writable; free some space and try again"
                                : result.errorLine()));
    }
}
