package dev.heddle.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.heddle.process.files.OutputFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds programs as a shell would: by path, or on the PATH. */
public final class Executables {

    private static final Logger LOG = LoggerFactory.getLogger(Executables.class);
    private static final boolean WINDOWS = System.getProperty("os.name", "").toLowerCase(Locale.ROOT)
            .startsWith("windows");
    private static final List<String> SUFFIXES = WINDOWS ? List.of("", ".exe", ".cmd", ".bat") : List.of("");
    private static final int MAX_VERSION_BYTES = 4096;

    private Executables() {}

    /**
     * Checks that all tools are on the PATH, and logs their versions.
     *
     * @param environment the environment in which the tools will run
     * @throws LaunchException if tools are missing; the message names each of them
     */
    public static void require(Collection<String> names, Map<String, String> environment) {
        String path = path(environment);
        List<String> missing = names.stream().filter(name -> find(name, path).isEmpty()).toList();
        if (!missing.isEmpty()) {
            throw new LaunchException(LaunchException.Kind.NOT_FOUND,
                    (missing.size() == 1 ? "tool" : "tools") + " not found on the PATH: " + String.join(", ", missing)
                            + "; install them, or correct the PATH: " + path);
        }
        for (String name : names) {
            Path program = find(name, path).orElseThrow();
            String version = version(program, environment);
            LOG.atInfo().addKeyValue("tool", name).addKeyValue("version", version).log("Tool {}: {} ({})", name,
                    version.isEmpty() ? "version unknown" : version, program);
        }
    }

    /**
     * Returns the path of the program that a command line names.
     *
     * @param directory the directory against which a relative path with a slash is resolved
     * @throws LaunchException if the program does not exist or cannot be executed
     */
    public static Path locate(String program, Path directory, Map<String, String> environment) {
        boolean isPath = isPath(program);
        String path = path(environment);
        Path found = isPath ? resolve(directory, program) : find(program, path).orElse(null);
        if (found == null) {
            throw new LaunchException(LaunchException.Kind.NOT_FOUND,
                    "no such command: " + program + " is not on the PATH (" + path + ")");
        }
        if (!Files.exists(found)) {
            throw new LaunchException(LaunchException.Kind.NOT_FOUND, "no such command: " + found + " does not exist");
        }
        if (Files.isDirectory(found) || !Files.isExecutable(found)) {
            throw new LaunchException(LaunchException.Kind.NOT_EXECUTABLE, "cannot execute " + found + ": "
                    + (Files.isDirectory(found) ? "it is a directory" : "it is not executable; try chmod +x"));
        }
        return found;
    }

    private static boolean isPath(String program) {
        return program.contains("/") || program.contains(File.separator);
    }

    /** Returns whether a program is looked for in the working directory, and not on the PATH. */
    public static boolean isRelativePath(String program) {
        return isPath(program) && !Path.of(program).isAbsolute();
    }

    private static Path resolve(Path directory, String program) {
        try {
            return directory.resolve(program).normalize();
        } catch (InvalidPathException e) {
            throw new LaunchException(LaunchException.Kind.NOT_FOUND, "no such command: " + program, e);
        }
    }

    private static String path(Map<String, String> environment) {
        String found = environment.get("PATH");
        return found != null ? found
                : environment.entrySet().stream().filter(entry -> WINDOWS && entry.getKey().equalsIgnoreCase("PATH"))
                        .map(Map.Entry::getValue).findFirst().orElse(WINDOWS ? "" : "/usr/local/bin:/usr/bin:/bin");
    }

    /** Returns the first executable with that name in the directories of a PATH. */
    static Optional<Path> find(String name, String path) {
        for (String directory : path.split(File.pathSeparator, -1)) {
            for (String suffix : SUFFIXES) {
                try {
                    Path candidate = Path.of(directory.isEmpty() ? "." : directory, name + suffix);
                    if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                        return Optional.of(candidate.toAbsolutePath());
                    }
                } catch (InvalidPathException e) {
                    LOG.debug("Ignoring an invalid directory on the PATH: {}", directory, e);
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the first line that the program prints for {@code --version}; empty if it fails. */
    static String version(Path program, Map<String, String> environment) {
        try (OutputFile output = OutputFile.create()) {
            ProcessBuilder builder = new ProcessBuilder(program.toString(), "--version").redirectErrorStream(true)
                    .redirectOutput(output.redirect());
            builder.environment().clear();
            builder.environment().putAll(environment);
            Process process = builder.start();
            output.unlink();
            process.getOutputStream().close();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "";
            }
            return process.exitValue() == 0 ? firstLine(output.text(MAX_VERSION_BYTES)) : "";
        } catch (IOException e) {
            LOG.debug("Cannot run {} --version", program, e);
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private static String firstLine(String text) {
        return text.lines().filter(line -> !line.isBlank()).findFirst().orElse("").strip();
    }
}
