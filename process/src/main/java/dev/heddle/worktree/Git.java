package dev.heddle.worktree;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.heddle.process.OutputFile;
import dev.heddle.worktree.WorktreeException.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the git command, isolated from the user's set-up: no hooks, no prompts, no variables that point at another
 * repository, messages in English.
 *
 * <p>Output goes to files rather than pipes: handlers may run on virtual threads, which must not block on reading a
 * pipe.
 */
final class Git {

    private static final Logger LOG = LoggerFactory.getLogger(Git.class);
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    /** How often to try an operation that another git process blocks. */
    static final int MAX_TRIES = 10;
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(10);

    private Git() {}

    /** The exit code and output of a git command. */
    record Result(int exit, String out, String err) {

        boolean ok() {
            return exit == 0;
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

    static Result run(Path directory, String... arguments) {
        return run(directory, Map.of(), arguments);
    }

    static Result run(Path directory, Map<String, String> variables, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git", "-c", "core.hooksPath=/dev/null", "-c",
                "advice.addEmbeddedRepo=false", "-c", "gc.auto=0"));
        command.addAll(List.of(arguments));
        try {
            return execute(directory, variables, command);
        } catch (IOException e) {
            throw Files.isDirectory(directory)
                    ? new WorktreeException(Kind.INVALID,
                            "git cannot be started; install it or add it to the PATH (" + e.getMessage() + ")", e)
                    : new WorktreeException(Kind.TRANSIENT, "the directory " + directory + " does not exist", e);
        }
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

    private static Result execute(Path directory, Map<String, String> variables, List<String> command)
            throws IOException {
        try (OutputFile out = OutputFile.create(); OutputFile err = OutputFile.create()) {
            ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile())
                    .redirectInput(ProcessBuilder.Redirect.from(nullDevice())).redirectOutput(out.redirect())
                    .redirectError(err.redirect());
            builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
            builder.environment().putAll(Map.of("GIT_TERMINAL_PROMPT", "0", "LC_ALL", "C"));
            builder.environment().putAll(variables);
            Process process = builder.start();
            out.unlink();
            err.unlink();
            int exit = await(process, command);
            return new Result(exit, out.text(), err.text());
        }
    }

    private static File nullDevice() {
        return new File(System.getProperty("os.name", "").startsWith("Windows") ? "NUL" : "/dev/null");
    }

    /**
     * Waits for git. An interrupt does not end it: it takes moments, and an aborted git leaves locks behind. Only a git
     * that hangs is killed.
     */
    private static int await(Process process, List<String> command) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        try {
            while (true) {
                try {
                    if (process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                        return process.exitValue();
                    }
                    LOG.warn("git has not ended after {} and is killed: {}", TIMEOUT, command);
                    process.destroyForcibly();
                    deadline = System.nanoTime() + TIMEOUT.toNanos();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
