package dev.heddle.benchmarks.trial;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A child JVM with the classes of this one. The two exchange lines; the child sees this JVM as its {@link
 * ParentProcess}. The child never outlives this JVM: its input ends when this JVM ends, even if it is killed.
 */
public final class ChildProcess implements AutoCloseable {

    /** The prefix of a line for the parent. Other output of a product is passed on to standard error. */
    static final String MARK = "@ ";

    private static final Set<Process> LIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ChildProcess::killAll, "children"));
    }

    private final Process process;
    private final BufferedReader output;
    private final PrintWriter input;

    private ChildProcess(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
        this.input = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        LIVE.add(process);
    }

    /** Starts a JVM with these options, such as the size of its heap. */
    public static ChildProcess start(List<String> options, Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return new ChildProcess(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    public void say(String line) {
        input.println(line);
    }

    /** Returns the next line for the parent. */
    public String hear() throws IOException, InterruptedException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(MARK)) {
                return line.substring(MARK.length());
            }
            System.err.println(line);
        }
        throw new IllegalStateException("a child process ended with code " + process.waitFor()
                + " and left us waiting; its own words are above");
    }

    /** Waits for the end and returns the exit code. */
    public int join() throws IOException, InterruptedException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            System.err.println(line);
        }
        return process.waitFor();
    }

    /** Kills the child if it has not ended. */
    @Override
    public void close() {
        kill(process);
        LIVE.remove(process);
    }

    private static void kill(Process process) {
        process.destroyForcibly();
        try {
            process.waitFor(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void killAll() {
        LIVE.forEach(ChildProcess::kill);
    }
}
