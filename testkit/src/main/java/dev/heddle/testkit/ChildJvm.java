package dev.heddle.testkit;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import org.awaitility.Awaitility;

/**
 * A separate JVM that a test can kill. It runs a main method with the classes of the test, and its output is read line
 * by line. Killing it sends SIGKILL: no shutdown hook runs. Closing kills it too, and the child never outlives the
 * test.
 */
public final class ChildJvm implements AutoCloseable {

    /** How many lines of output a failure shows. */
    private static final int SHOWN_LINES = 40;
    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private ChildJvm(Process process) {
        this.process = process;
        this.reader = Thread.ofPlatform().daemon().name("child-jvm-output").start(this::read);
    }

    /** Starts the main method of a class with the class path of the tests. */
    public static ChildJvm start(Class<?> main, String... arguments) {
        return startIn(List.of(), main, arguments);
    }

    /** Does the same behind a prefix that runs the rest of its command line, such as {@code unshare}. */
    public static ChildJvm startIn(List<String> prefix, Class<?> main, String... arguments) {
        return startIn(prefix, classPath(), main, arguments);
    }

    /** Returns the class path of the tests. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** Does the same with another class path, for a user who cannot read this one. */
    public static ChildJvm startIn(List<String> prefix, String classPath, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(ProcessHandle.current().info().command().orElse("java"), "-Xmx256m", "-Xshare:auto",
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp", classPath,
                main.getName()));
        command.addAll(List.of(arguments));
        try {
            return new ChildJvm(new ProcessBuilder(command).redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            output.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            lines.add("(output ended: " + e.getMessage() + ")");
        }
    }

    /** Returns the lines printed so far to standard output and standard error. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /**
     * Waits for a line. Fails and shows the output if the line does not appear within a minute or the JVM ends first.
     */
    public void awaitLine(Predicate<String> wanted) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(5))
                .until(() -> lines.stream().anyMatch(wanted) || !reader.isAlive());
        if (lines.stream().noneMatch(wanted)) {
            throw new AssertionError("the child JVM ended without printing the expected line; its output: " + lines);
        }
    }

    /** Kills the JVM with SIGKILL and waits until it has ended. */
    public void kill() {
        process.destroyForcibly();
        exitCode(Duration.ofSeconds(30));
    }

    /** Freezes the JVM with SIGSTOP: others get no answer from it, and it does not notice the passing time. */
    public void suspend() {
        ProcessSignals.send("STOP", List.of(pid()));
    }

    /** Continues the JVM after {@link #suspend}. */
    public void resume() {
        ProcessSignals.send("CONT", List.of(pid()));
    }

    /** Writes a line to the child's standard input, which is closed when this JVM ends, even if it is killed. */
    public void writeLine(String line) {
        try {
            BufferedWriter input = process.outputWriter(StandardCharsets.UTF_8);
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write '" + line + "' to the child JVM; its output: " + lines, e);
        }
    }

    private String lastLines() {
        List<String> all = List.copyOf(lines);
        return String.join("\n", all.subList(Math.max(0, all.size() - SHOWN_LINES), all.size()));
    }

    /** Returns the process id. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether the JVM is running or frozen. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for the end and returns the exit code, which is 137 after SIGKILL. Fails after the timeout. */
    public int exitCode(Duration timeout) {
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("the child JVM did not end within " + timeout
                        + "; the end of its output:\n" + lastLines());
            }
            reader.join(timeout);
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
