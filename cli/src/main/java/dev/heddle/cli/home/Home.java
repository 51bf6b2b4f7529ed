package dev.heddle.cli.home;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import org.jspecify.annotations.Nullable;

/**
 * Where a node keeps its state: the database, the logs, and who is in. For its owner's eyes only.
 *
 * <pre>
 * heddle.db   the jobs, where the store is SQLite     logs/      what nodes and workers logged
 * node.json   the running node                        token      what requests to it must show
 * node.lock   held by the running node                native/    SQLite's library, unpacked once
 * runs/       what commands wrote                     artifacts/ what was copied out of their directories
 * processes/  those that run                          worktrees/ those that are used or held ready
 * batches/    units on their way to becoming jobs
 * </pre>
 */
public record Home(Path directory) {

    /** Where it is unless said otherwise. */
    public static final String STANDARD = ".heddle";

    /** The one that was asked for, else that of {@code HEDDLE_HOME}, else {@code .heddle} here. */
    public static Home find(@Nullable Path asked, Map<String, String> environment) {
        String variable = environment.getOrDefault("HEDDLE_HOME", "");
        if (asked != null && asked.toString().isEmpty()) {
            throw CliException.usage("--home is empty; name a directory");
        }
        Path directory = asked != null ? asked : Path.of(variable.isEmpty() ? STANDARD : variable);
        return new Home(directory.toAbsolutePath().normalize());
    }

    public Path database() {
        return directory.resolve("heddle.db");
    }

    public Path logs() {
        return directory.resolve("logs");
    }

    /**
     * The log of a worker, which is the same after a restart: only the name after the node's counts. One that took the
     * place of another ({@code embed-1.2} that of {@code embed-1}) goes on with its log.
     */
    public Path workerLog(String worker) {
        String name = worker.substring(worker.lastIndexOf('/') + 1).replaceAll("[^A-Za-z0-9._-]", "_")
                .replaceFirst("-(\\d+)\\.\\d+$", "-$1");
        return logs().resolve("workers").resolve(name + ".log");
    }

    public Path token() {
        return directory.resolve("token");
    }

    Path nodeFile() {
        return directory.resolve("node.json");
    }

    Path lock() {
        return directory.resolve("node.lock");
    }

    /** Not the user's cache directory: a service may have none. */
    public Path nativeLibraries() {
        return directory.resolve("native");
    }

    /** Units of batches that are not jobs yet. */
    public Path batches() {
        return directory.resolve("batches");
    }

    /** Where the configuration stands: next to the home, not in it. */
    public Path beside(String file) {
        return Objects.requireNonNullElse(directory.getParent(), directory).resolve(file);
    }

    /** Makes it where it does not exist, for its owner only. */
    public void create() {
        try {
            if (!Files.isDirectory(directory)) {
                Files.createDirectories(Objects.requireNonNullElse(directory.getParent(), directory));
                Private.directory(directory);
            }
        } catch (FileAlreadyExistsException e) {
            throw noDirectory();
        } catch (AccessDeniedException e) {
            throw new CliException(Exit.DENIED, "cannot make the home " + directory + ": " + e.getFile()
                    + " cannot be written; choose another home with --home or HEDDLE_HOME", e);
        } catch (IOException e) {
            throw new CliException(Exit.DENIED, "cannot make the home " + directory + ": " + e.getMessage()
                    + "; choose another home with --home or HEDDLE_HOME", e);
        }
        if (!Files.isWritable(directory)) {
            throw new CliException(Exit.DENIED, "cannot write to the home " + directory + ownedBy()
                    + "; make it writable, or choose another home with --home or HEDDLE_HOME");
        }
    }

    /** Refuses a home that cannot even be looked into: what is in it would seem not to be there. */
    public void requireAccess() {
        if (Files.isRegularFile(directory)) {
            throw noDirectory();
        }
        // Where the way to it is closed, it can be seen neither to exist nor not to.
        if (!Files.notExists(directory) && !(Files.isReadable(directory) && Files.isExecutable(directory))) {
            throw new CliException(Exit.DENIED, "cannot look into the home " + directory + ownedBy()
                    + "; call heddle as its owner, or choose another home with --home or HEDDLE_HOME");
        }
    }

    private CliException noDirectory() {
        return CliException.usage(directory + " is not a directory; delete it, or choose another home with"
                + " --home or HEDDLE_HOME");
    }

    private String ownedBy() {
        try {
            return ", which belongs to " + Files.getOwner(directory).getName();
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }
}
