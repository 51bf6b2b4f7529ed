package dev.heddle.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Which processes there are, in files: a directory for each node, in it who the node is, and a file for each run.
 *
 * <pre>
 * processes/4711-90210-1/node.json      the machine, and the JVM's pid and start
 *                       /1k2j3h4g.json  a run, from just before its start until nothing of it is left
 * </pre>
 *
 * Files, and not the store, because only this machine can do anything about them: the store may be elsewhere, and out of
 * reach just when a process must be killed. They are not forced to the disk, because they need to outlive the node and
 * not the machine, which takes the processes along. Each is replaced as a whole, so a node killed while it writes leaves
 * the old one or the new one; the mark, which is enough to find a run by, is its name.
 */
final class Registry {

    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String NODE = "node.json";
    private static final String ENDING = ".json";
    private static final String UNFINISHED = ".new";

    private final Path root;
    private final Path own;

    /**
     * Whose processes these are.
     *
     * @param pid of the JVM
     * @param startTicks of the JVM, as {@link ProcessIdentity#startTicks}
     */
    record Owner(Platform.Machine machine, long pid, long startTicks) {}

    /** What a node left, and where. */
    record Estate(Path directory, Owner owner, List<Row> rows) {}

    /** A row as it is written. */
    private record Entry(String run, Isolation isolation, String directory, boolean own, String temp,
            @Nullable ProcessIdentity identity) {

        static Entry of(Row row) {
            return new Entry(row.run(), row.isolation(), row.place().directory().toString(),
                    row.place().own(),
                    row.temp().toString(), row.identity());
        }

        Row row(Mark mark) {
            return new Row(mark, run, isolation, new Launch.Place(Path.of(directory), own), Path.of(temp),
                    identity);
        }
    }

    private Registry(Path root, Path own) {
        this.root = root;
        this.own = own;
    }

    /** Takes a place among the nodes of this machine. */
    static Registry open(Path root, Owner owner) {
        try {
            Files.createDirectories(root);
            for (int number = 1;; number++) {
                Path own = root.resolve(owner.pid() + "-" + owner.startTicks() + "-" + number);
                try {
                    Files.createDirectory(own);
                } catch (FileAlreadyExistsException e) {
                    continue;
                }
                Registry registry = new Registry(root, own);
                registry.replace(own.resolve(NODE), owner);
                return registry;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot keep the registry of processes in " + root + ": " + e.getMessage(), e);
        }
    }

    void write(Row row) {
        replace(own.resolve(row.mark() + ENDING), Entry.of(row));
    }

    private void replace(Path file, Object content) {
        Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
        try {
            Files.writeString(unfinished, JSON.writeValueAsString(content));
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new LaunchException(LaunchException.Kind.REFUSED,
                    "cannot write " + file + " to the registry of processes: " + e.getMessage(), e);
        }
    }

    void remove(Mark mark) {
        delete(own.resolve(mark + ENDING));
    }

    /** What the other nodes that ever were here have left; their owners may be alive. */
    List<Estate> others() {
        try (Stream<Path> directories = Files.list(root)) {
            return directories.filter(directory -> !directory.equals(own))
                    .flatMap(directory -> read(directory).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot read the registry of processes in " + root + ": " + e.getMessage(), e);
        }
    }

    private static Optional<Estate> read(Path directory) {
        try {
            Owner owner = JSON.readValue(Files.readString(directory.resolve(NODE)), Owner.class);
            List<Row> rows = new ArrayList<>();
            try (Stream<Path> files = Files.list(directory)) {
                files.map(Registry::row).flatMap(Optional::stream).forEach(rows::add);
            }
            return Optional.of(new Estate(directory, owner, rows));
        } catch (IOException | JacksonException e) {
            // Another node has just cleared it, or makes it just now.
            LOG.debug("Not read: {}", directory, e);
            return Optional.empty();
        }
    }

    private static Optional<Row> row(Path file) {
        String name = Objects.requireNonNull(file.getFileName()).toString();
        if (!name.endsWith(ENDING) || name.equals(NODE)) {
            return Optional.empty();
        }
        try {
            Mark mark = Mark.parse(name.substring(0, name.length() - ENDING.length()));
            return Optional.of(JSON.readValue(Files.readString(file), Entry.class).row(mark));
        } catch (IOException | JacksonException | NumberFormatException e) {
            LOG.warn("Not a row of the registry of processes: {} ({})", file, e.getMessage());
            return Optional.empty();
        }
    }

    /** Forgets a run of another node. */
    static void remove(Estate estate, Mark mark) {
        delete(estate.directory().resolve(mark + ENDING));
    }

    /** Forgets a node, unless there is still a run of it. */
    static void removeIfEmpty(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> all = files.toList();
            if (all.stream().anyMatch(file -> row(file).isPresent())) {
                return;
            }
            all.forEach(Registry::delete);
            Files.deleteIfExists(directory);
        } catch (NoSuchFileException e) {
            LOG.debug("Already gone: {}", directory, e);
        } catch (IOException e) {
            LOG.warn("Cannot clear {}: {}", directory, e.getMessage());
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("Cannot delete {}: {}", file, e.getMessage());
        }
    }

    void close() {
        removeIfEmpty(own);
    }
}
