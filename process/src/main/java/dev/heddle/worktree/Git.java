package dev.heddle.worktree;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.heddle.worktree.WorktreeException.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The git command, run so that nothing of the user's comes into play that could surprise: no hooks, no prompts, no
 * variables that point at another repository, messages in English.
 *
 * <p>Output goes to files and not through pipes: handlers may run on virtual threads, and those must not read pipes.
 */
final class Git {

    private static final Logger LOG = LoggerFactory.getLogger(Git.class);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    /** How often something is tried that another git is in the way of. */
    static final int MOST_TRIES = 10;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

    private Git() {}

    /** What a command came to. */
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

        /** The line of git's that says what was wrong. */
        String complaint() {
            return err.lines().map(String::strip)
                    .filter(line -> line.startsWith("fatal:") || line.startsWith("error:")).findFirst()
                    .or(() -> err.lines().filter(line -> !line.isBlank()).findFirst())
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
            return within(directory, variables, command);
        } catch (IOException e) {
            throw new WorktreeException(
                    Files.isDirectory(directory) ? Kind.WRONG : Kind.TROUBLE,
                    Files.isDirectory(directory)
                            ? "git cannot be started; install it, or put it on the PATH (" + e.getMessage()
                                    + ")"
                            : "the directory " + directory + " is not there",
                    e);
        }
    }

    /** Whether another git was in its way, which is over when that one is a step further. */
    static boolean isBusy(Result result) {
        // The last is the file of a worktree that is just being made: git reads those of all worktrees, whole or not.
        return !result.ok() && result.mentions("File exists", "could not lock", "Unable to create",
                "failed to read worktrees/");
    }

    /** Lets another git get further that was in the way so often, ever longer: five seconds in all. */
    static void makeWay(int tries) {
        try {
            Thread.sleep(FIRST_PAUSE.multipliedBy(1L << (tries - 1)));
        } catch (InterruptedException e) {
            // It is tried again all the same, without a pause.
            Thread.currentThread().interrupt();
        }
    }

    /** A checkout says of a full disk no more than that it could not write a file. */
    static boolean isDiskFull(Result result) {
        return result.mentions("No space left on device", "Disk quota exceeded", "unable to write file",
                "unable to write new index file");
    }

    static WorktreeException failed(String what, Path where, Result result) {
        return isDiskFull(result)
                ? new WorktreeException(Kind.TROUBLE,
                        "cannot " + what + ": the disk of " + where
                                + " is full, or cannot be written; make room and try again")
                : new WorktreeException(Kind.TROUBLE, "cannot " + what + ": " + result.complaint());
    }

    private static Result within(Path directory, Map<String, String> variables, List<String> command)
            throws IOException {
        try (Said out = Said.nothing(); Said err = Said.nothing()) {
            ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile())
                    .redirectInput(ProcessBuilder.Redirect.from(nothing()))
                    .redirectOutput(out.file().toFile()).redirectError(err.file().toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
            builder.environment().putAll(Map.of("GIT_TERMINAL_PROMPT", "0", "LC_ALL", "C"));
            builder.environment().putAll(variables);
            Process process = builder.start();
            out.hide();
            err.hide();
            int exit = await(process, command);
            return new Result(exit, out.text(), err.text());
        }
    }

    /**
     * A file that git writes to. It loses its name as soon as git has it open, where the system lets it: a process that is
     * ended meanwhile leaves nothing behind.
     */
    private record Said(Path file, InputStream content) implements AutoCloseable {

        static Said nothing() throws IOException {
            Path file = Files.createTempFile("heddle-git-", "");
            // Not through a channel, which an interrupt would close.
            return new Said(file, new FileInputStream(file.toFile()));
        }

        void hide() {
            if (!file.toFile().delete()) {
                LOG.debug("{} stays until git has ended", file);
            }
        }

        String text() throws IOException {
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        }

        @Override
        public void close() throws IOException {
            content.close();
            Files.deleteIfExists(file);
        }
    }

    private static File nothing() {
        return new File(System.getProperty("os.name", "").startsWith("Windows") ? "NUL" : "/dev/null");
    }

    /**
     * An interrupt does not end it: what git has begun it had better finish, and it takes moments. Only one that hangs
     * is ended.
     */
    private static int await(Process process, List<String> command) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + LONGEST.toNanos();
        try {
            while (true) {
                try {
                    if (process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                        return process.exitValue();
                    }
                    LOG.warn("git hangs and is ended after {}: {}", LONGEST, command);
                    process.destroyForcibly();
                    deadline = System.nanoTime() + LONGEST.toNanos();
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
