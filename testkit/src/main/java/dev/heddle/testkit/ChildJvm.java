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
 * A JVM of its own with the tests' classes, to be killed. What it prints is read line by line; killing is SIGKILL,
 * so nothing in it gets a chance to tidy up. It never outlives the test: closing kills it.
 */
public final class ChildJvm implements AutoCloseable {

    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private ChildJvm(Process process) {
        this.process = process;
        this.reader = Thread.ofPlatform().daemon().name("child-jvm-output").start(this::read);
    }

    /** Starts the main method of a class. */
    public static ChildJvm start(Class<?> main, String... arguments) {
        return startIn(List.of(), main, arguments);
    }

    /** The same behind a command that ends by running the rest of its line, such as {@code unshare}. */
    public static ChildJvm startIn(List<String> prefix, Class<?> main, String... arguments) {
        return startIn(prefix, classPath(), main, arguments);
    }

    /** The class path of the tests. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** The same on another class path, for a user who may not read this one. */
    public static ChildJvm startIn(List<String> prefix, String classPath, Class<?> main,
            String... arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(ProcessHandle.current().info().command().orElse("java"), "-Xmx256m",
                "-Xshare:auto",
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
                classPath, main.getName()));
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

    /** What it has printed so far, to either stream. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** Waits for a line; fails with all that was printed where it does not come or the JVM ends before. */
    public void awaitLine(Predicate<String> wanted) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(5))
                .until(() -> lines.stream().anyMatch(wanted) || !reader.isAlive());
        if (lines.stream().noneMatch(wanted)) {
            throw new AssertionError("the child ended without the line; it printed: " + lines);
        }
    }

    /** Kills it as {@code kill -9} does and waits until it is gone. */
    public void kill() {
        process.destroyForcibly();
        exitCode(Duration.ofSeconds(30));
    }

    /** Stops it where it is with SIGSTOP: to others it is silent, and does not notice that time goes by. */
    public void suspend() {
        Signals.send("STOP", List.of(pid()));
    }

    /** Lets it go on after {@link #suspend}. */
    public void resume() {
        Signals.send("CONT", List.of(pid()));
    }

    /** Writes a line to its standard input, which ends when this JVM does, however it does. */
    public void tell(String line) {
        try {
            BufferedWriter input = process.outputWriter(StandardCharsets.UTF_8);
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the child cannot be told '" + line + "'; it printed: " + lines,
                    e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for its end; the code of a killed one is 137. */
    public int exitCode(Duration timeout) {
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError(
                        "the child did not end within " + timeout + "; it printed: " + lines);
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
