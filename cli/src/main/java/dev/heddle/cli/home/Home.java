package dev.heddle.cli.home;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.process.files.ScratchDirectory;
import org.jspecify.annotations.Nullable;

/**
 * The directory where a node keeps its state. Only its owner can read it.
 *
 * <pre>
 * heddle.db   the jobs, if the store is SQLite        logs/      logs of nodes and workers
 * node.json   address of the running node             token      bearer token of the running node
 * node.lock   locked by the running node              native/    unpacked SQLite library
 * runs/       output of commands                      artifacts/ files copied from working directories
 * processes/  records of running processes            worktrees/ worktrees in use or in reserve
 * batches/    units that are not jobs yet
 * </pre>
 */
public record Home(Path directory) {

    private static final String DEFAULT = ".heddle";
    private static final String SCRATCH = "bench-";

    /** Returns the requested home, or that of {@code HEDDLE_HOME}, or {@code .heddle} in the current directory. */
    public static Home find(@Nullable Path requested, Map<String, String> environment) {
        String variable = environment.getOrDefault("HEDDLE_HOME", "");
        if (requested != null && requested.toString().isEmpty()) {
            throw CliException.usage("--home is empty; give a directory");
        }
        Path directory = requested != null ? requested : Path.of(variable.isEmpty() ? DEFAULT : variable);
        return new Home(directory.toAbsolutePath().normalize());
    }

    /** Returns the directory of all logs. */
    public Path logs() {
        return directory.resolve("logs");
    }

    /**
     * Returns the log of a worker. The file depends on the worker's name without the node, so it is the same after a
     * restart. A replacement ({@code embed-1.2} for {@code embed-1}) continues the log.
     */
    public Path workerLog(String worker) {
        String name = worker.substring(worker.lastIndexOf('/') + 1).replaceAll("[^A-Za-z0-9._-]", "_")
                .replaceFirst("-(\\d+)\\.\\d+$", "-$1");
        return logs().resolve("workers").resolve(name + ".log");
    }

    /** Returns the file with the token of the running node. */
    public Path token() {
        return directory.resolve("token");
    }

    Path nodeFile() {
        return directory.resolve("node.json");
    }

    Path lock() {
        return directory.resolve("node.lock");
    }

    /** Returns where native libraries are unpacked. Not the user's cache directory, because a service may have none. */
    public Path nativeLibraries() {
        return directory.resolve("native");
    }

    /** Returns the directory for units of batches that are not jobs yet. */
    public Path batches() {
        return directory.resolve("batches");
    }

    /** Creates a directory that is deleted when it is closed, or by a later process if this one is killed. */
    public ScratchDirectory createScratch() throws IOException {
        sweepScratch();
        return ScratchDirectory.create(directory, SCRATCH);
    }

    void sweepScratch() {
        ScratchDirectory.sweep(directory, SCRATCH);
    }

    /** Returns a file next to the home, such as the configuration. */
    public Path sibling(String file) {
        return Objects.requireNonNullElse(directory.getParent(), directory).resolve(file);
    }

    /** Creates the home if it does not exist, readable by its owner only. */
    public void create() {
        try {
            if (!Files.isDirectory(directory)) {
                Files.createDirectories(Objects.requireNonNullElse(directory.getParent(), directory));
                PrivateFiles.createDirectory(directory);
            }
        } catch (FileAlreadyExistsException e) {
            throw notADirectory();
        } catch (AccessDeniedException e) {
            throw new CliException(ExitCode.DENIED, "cannot create the home " + directory + ": " + e.getFile()
                    + " is not writable; choose another home with --home or HEDDLE_HOME", e);
        } catch (IOException e) {
            throw new CliException(ExitCode.DENIED, "cannot create the home " + directory + ": " + e.getMessage()
                    + "; choose another home with --home or HEDDLE_HOME", e);
        }
        if (!Files.isWritable(directory)) {
            throw new CliException(ExitCode.DENIED, "cannot write to the home " + directory + ownedBy()
                    + "; make it writable, or choose another home with --home or HEDDLE_HOME");
        }
    }

    /** Fails if the home exists but cannot be read, instead of treating it as empty. */
    public void requireAccess() {
        if (Files.isRegularFile(directory)) {
            throw notADirectory();
        }
        // If a parent directory is not accessible, exists() and notExists() are both false.
        if (!Files.notExists(directory) && !(Files.isReadable(directory) && Files.isExecutable(directory))) {
            throw new CliException(ExitCode.DENIED, "cannot read the home " + directory + ownedBy()
                    + "; run heddle as its owner, or choose another home with --home or HEDDLE_HOME");
        }
    }

    private CliException notADirectory() {
        return CliException.usage(
                directory + " is not a directory; delete it, or choose another home with" + " --home or HEDDLE_HOME");
    }

    private String ownedBy() {
        try {
            return ", owned by " + Files.getOwner(directory).getName();
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }
}
