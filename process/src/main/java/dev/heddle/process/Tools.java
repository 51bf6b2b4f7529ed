package dev.heddle.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds programs on the PATH, as a shell would. */
public final class Tools {

    private static final Logger LOG = LoggerFactory.getLogger(Tools.class);
    private static final boolean WINDOWS = System.getProperty("os.name", "").toLowerCase(Locale.ROOT)
            .startsWith("windows");
    private static final List<String> ENDINGS = WINDOWS ? List.of("", ".exe", ".cmd", ".bat") : List.of("");
    private static final int MOST_SAID = 4096;

    private Tools() {}

    /**
     * All the tools, with their versions, which are logged.
     *
     * @param environment the one that they will be run in
     * @throws LaunchException naming every tool that is not there
     */
    public static List<Tool> require(Collection<String> names, Map<String, String> environment) {
        String path = path(environment);
        List<String> missing = names.stream().filter(name -> find(name, path).isEmpty()).toList();
        if (!missing.isEmpty()) {
            throw new LaunchException(LaunchException.Kind.NOT_FOUND, (missing.size() == 1 ? "tool" : "tools")
                    + " not found on the PATH: " + String.join(", ", missing)
                    + "; install what is missing, or correct the PATH: "
                    + path);
        }
        List<Tool> tools = new ArrayList<>();
        for (String name : names) {
            Path program = find(name, path).orElseThrow();
            Tool tool = new Tool(name, program, version(program, environment));
            LOG.atInfo().addKeyValue("tool", name).addKeyValue("version", tool.version()).log(
                    "Tool {}: {} ({})", name,
                    tool.version().isEmpty() ? "says no version" : tool.version(), program);
            tools.add(tool);
        }
        return List.copyOf(tools);
    }

    /**
     * The program that a command line names.
     *
     * @param directory what a relative path with a slash in it starts from
     * @throws LaunchException where there is no such program, or none that may be executed
     */
    public static Path locate(String program, Path directory, Map<String, String> environment) {
        boolean isPath = program.contains("/") || program.contains(File.separator);
        String path = path(environment);
        Path found = isPath ? resolve(directory, program) : find(program, path).orElse(null);
        if (found == null) {
            throw new LaunchException(LaunchException.Kind.NOT_FOUND,
                    "no such command: " + program + " is not on the PATH (" + path + ")");
        }
        if (!Files.exists(found)) {
            throw new LaunchException(LaunchException.Kind.NOT_FOUND,
                    "no such command: " + found + " does not exist");
        }
        if (Files.isDirectory(found) || !Files.isExecutable(found)) {
            throw new LaunchException(LaunchException.Kind.NOT_EXECUTABLE, "cannot execute " + found + ": "
                    + (Files.isDirectory(found) ? "it is a directory"
                            : "it is not executable; try chmod +x"));
        }
        return found;
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
                : environment.entrySet().stream()
                        .filter(entry -> WINDOWS && entry.getKey().equalsIgnoreCase("PATH"))
                        .map(Map.Entry::getValue).findFirst()
                        .orElse(WINDOWS ? "" : "/usr/local/bin:/usr/bin:/bin");
    }

    /** The first executable of that name in the directories of a path. */
    static Optional<Path> find(String name, String path) {
        for (String directory : path.split(File.pathSeparator, -1)) {
            for (String ending : ENDINGS) {
                try {
                    Path candidate = Path.of(directory.isEmpty() ? "." : directory, name + ending);
                    if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                        return Optional.of(candidate.toAbsolutePath());
                    }
                } catch (InvalidPathException e) {
                    LOG.debug("Not a directory on the PATH: {}", directory, e);
                }
            }
        }
        return Optional.empty();
    }

    /** What it answers to {@code --version}, through a file, so that nothing it starts can hold us up. */
    private static String version(Path program, Map<String, String> environment) {
        try {
            Path said = Files.createTempFile("heddle-version", "");
            try {
                ProcessBuilder builder = new ProcessBuilder(program.toString(), "--version")
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile());
                builder.environment().clear();
                builder.environment().putAll(environment);
                Process process = builder.start();
                process.getOutputStream().close();
                if (!process.waitFor(10, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    return "";
                }
                return process.exitValue() == 0 ? firstLine(said) : "";
            } finally {
                Files.delete(said);
            }
        } catch (IOException e) {
            LOG.debug("{} says no version", program, e);
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private static String firstLine(Path file) throws IOException {
        try (var input = Files.newInputStream(file)) {
            return new String(input.readNBytes(MOST_SAID), StandardCharsets.UTF_8).lines()
                    .filter(line -> !line.isBlank()).findFirst().orElse("").strip();
        }
    }
}
