package dev.heddle.benchmarks;

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
 * A JVM of its own with the classes of this one. It never outlives this one, which it knows as its {@link Parent}: the
 * two talk in lines, and when this one is gone, however it went, the child's input ends.
 */
final class Child implements AutoCloseable {

    /** What begins a line for the parent; whatever else a product prints goes to standard error. */
    static final String MARK = "@ ";

    private static final Set<Process> LIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Child::killAll, "children"));
    }

    private final Process process;
    private final BufferedReader output;
    private final PrintWriter input;

    private Child(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
        this.input = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        LIVE.add(process);
    }

    /** Options are those of the JVM: its heap, for one. */
    static Child start(List<String> options, Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return new Child(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    void say(String line) {
        input.println(line);
    }

    /** The next line that is for us. */
    String hear() throws IOException, InterruptedException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(MARK)) {
                return line.substring(MARK.length());
            }
            System.err.println(line);
        }
        throw new IllegalStateException("a child process ended with code " + process.waitFor()
                + " and left us waiting; its own words are above");
    }

    /** Waits for its end; its exit code. */
    int join() throws IOException, InterruptedException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            System.err.println(line);
        }
        return process.waitFor();
    }

    /** Kills it, unless it has ended. */
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

    static void killAll() {
        LIVE.forEach(Child::kill);
    }
}
