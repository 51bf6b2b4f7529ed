package dev.heddle.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.heddle.process.files.OutputFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a short command of the node itself, such as git. When it returns, everything that the command started has ended,
 * as with {@link Processes}. Unlike those, the command is not killed with the node: it takes moments, and an aborted
 * command may leave locks behind.
 *
 * <p>Output goes to files rather than pipes: handlers may run on virtual threads, which must not block on reading a
 * pipe.
 */
public final class ShortCommand {

    private static final Logger LOG = LoggerFactory.getLogger(ShortCommand.class);

    private ShortCommand() {}

    /** The exit code and the output of a command. */
    public record Result(int exit, String out, String err) {}

    /**
     * Runs a command to its end. An interrupt does not end it, and is kept for the caller.
     *
     * @param command the program, by its path or looked up on the PATH of the environment, and its arguments
     * @param environment all variables of the command
     * @param timeout how long it may take before it is killed
     * @throws IOException if it cannot be started
     */
    public static Result run(List<String> command, Path directory, Map<String, String> environment, Duration timeout)
            throws IOException {
        return run(command, directory, environment, timeout, Integer.MAX_VALUE);
    }

    /**
     * Runs a command to its end, as {@link #run(List, Path, Map, Duration)} does.
     *
     * @param most the most bytes of its output that are returned
     * @throws IOException if it cannot be started
     */
    public static Result run(List<String> command, Path directory, Map<String, String> environment, Duration timeout,
            int most) throws IOException {
        Platform platform = Platform.here();
        ProcessMark mark = ProcessMark.random();
        List<String> line = new ArrayList<>(command);
        line.set(0, program(command.getFirst(), environment));
        try (OutputFile out = OutputFile.create(); OutputFile err = OutputFile.create()) {
            ProcessBuilder builder = new ProcessBuilder(platform.unboundCommandLine(mark, line))
                    .directory(directory.toFile()).redirectInput(ProcessBuilder.Redirect.from(nullDevice()))
                    .redirectOutput(out.redirect()).redirectError(err.redirect());
            builder.environment().clear();
            builder.environment().putAll(environment);
            builder.environment().put(ProcessMark.VARIABLE, mark.toString());
            Process process = Spawner.here().spawn(builder);
            out.unlink();
            err.unlink();
            ProcessRecord record = new ProcessRecord(mark, command.getFirst(), platform.strongestIsolation(),
                    new Launch.WorkingDirectory(directory, false), TempDirectory.of(mark), new ProcessIdentity(
                            process.pid(), platform.startTicks(process.pid()), platform.machine().bootId()));
            int exit = await(process, command, platform, timeout);
            if (record.mayHaveLeftovers(exit)) {
                BlockingSweep.run(platform, record);
            }
            return new Result(exit, out.text(most), err.text(most));
        }
    }

    private static String program(String name, Map<String, String> environment) throws IOException {
        return name.startsWith("/") ? name
                : Executables.find(name, environment.getOrDefault("PATH", ""))
                        .orElseThrow(() -> new IOException(name + " is not on the PATH")).toString();
    }

    private static File nullDevice() {
        return new File(File.separatorChar == '\\' ? "NUL" : "/dev/null");
    }

    private static int await(Process process, List<String> command, Platform platform, Duration timeout) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            while (true) {
                try {
                    if (process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                        return process.exitValue();
                    }
                    LOG.warn("{} has not ended after {} and is killed", command.getFirst(), timeout);
                    if (!platform.kill(process.pid())) {
                        process.destroyForcibly();
                    }
                    deadline = System.nanoTime() + timeout.toNanos();
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
