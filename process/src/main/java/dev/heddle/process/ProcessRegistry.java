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
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Records the processes of all nodes on this machine in files. Each node has a directory, which contains a file that
 * identifies the node and a file for each of its processes.
 *
 * <pre>
 * processes/4711-90210-1/node.json      the machine, and the pid and start of the JVM
 *                       /1k2j3h4g.json  a process, from just before its start until nothing is left of it
 * </pre>
 *
 * <p>The registry is in files rather than in the store because only this machine can act on it, and the store may be
 * out of reach just when a process must be killed. The files are not forced to disk: they must outlive the node, but
 * not the machine, which takes the processes with it. Each file is replaced atomically, so a node that is killed while
 * it writes leaves either the old or the new version. The file name is the mark, which is enough to find the processes.
 */
final class ProcessRegistry {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessRegistry.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String NODE = "node.json";
    private static final String SUFFIX = ".json";
    private static final String UNFINISHED = ".new";
    private static final Pattern NAME = Pattern.compile("(\\d{1,18})-(\\d{1,18})-\\d+");

    private final Path root;
    private final Path own;

    /**
     * The node that started the processes.
     *
     * @param pid of the JVM
     * @param startTicks of the JVM, as {@link ProcessIdentity#startTicks}
     */
    record Node(Platform.Machine machine, long pid, long startTicks) {}

    /** The directory of one node, with the processes that it has not seen to the end. */
    record NodeEntry(Path directory, Node node, List<ProcessRecord> records) {}

    /** The JSON form of a {@link ProcessRecord}. Its field names are a file format: do not change them. */
    private record RecordFile(String run, Isolation isolation, String directory, boolean own, String temp,
            @Nullable ProcessIdentity identity) {

        static RecordFile of(ProcessRecord record) {
            return new RecordFile(record.label(), record.isolation(), record.directory().path().toString(),
                    record.directory().exclusive(), record.temp().toString(), record.identity());
        }

        ProcessRecord toRecord(ProcessMark mark) {
            return new ProcessRecord(mark, run, isolation, new Launch.WorkingDirectory(Path.of(directory), own),
                    Path.of(temp), identity);
        }
    }

    private ProcessRegistry(Path root, Path own) {
        this.root = root;
        this.own = own;
    }

    /** Creates a directory for this node beside those of the other nodes. */
    static ProcessRegistry open(Path root, Node node) {
        try {
            for (int number = 1;; number++) {
                Files.createDirectories(root);
                Path own = root.resolve(node.pid() + "-" + node.startTicks() + "-" + number);
                try {
                    Files.createDirectory(own);
                    replace(own.resolve(NODE), node);
                    return new ProcessRegistry(root, own);
                } catch (FileAlreadyExistsException | NoSuchFileException e) {
                    LOG.debug("Another node has this name, or took it for a leftover: {}", own, e);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create the process registry in " + root + ": " + e.getMessage(), e);
        }
    }

    void write(ProcessRecord record) {
        Path file = own.resolve(record.mark() + SUFFIX);
        try {
            replace(file, RecordFile.of(record));
        } catch (IOException e) {
            throw new LaunchException(LaunchException.Kind.REFUSED,
                    "cannot write " + file + " to the process registry: " + e.getMessage(), e);
        }
    }

    private static void replace(Path file, Object content) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
        Files.writeString(unfinished, JSON.writeValueAsString(content));
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }

    void remove(ProcessMark mark) {
        delete(own.resolve(mark + SUFFIX));
    }

    /** Returns the entries of all other nodes, alive or dead. */
    List<NodeEntry> others() {
        try (Stream<Path> directories = Files.list(root)) {
            return directories.filter(directory -> !directory.equals(own))
                    .flatMap(directory -> read(directory).stream()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the process registry in " + root + ": " + e.getMessage(), e);
        }
    }

    /**
     * Deletes the directories of nodes that were killed before they had written who they are, and so before they had
     * started a process. Their names tell whether they are alive.
     */
    void removeUnfinished(LongUnaryOperator startTicks) {
        try (Stream<Path> directories = Files.list(root)) {
            directories.filter(directory -> isDead(directory, startTicks) && read(directory).isEmpty())
                    .forEach(ProcessRegistry::removeIfEmpty);
        } catch (IOException e) {
            LOG.warn("Cannot clean up the process registry in {}: {}", root, e.getMessage());
        }
    }

    private static boolean isDead(Path directory, LongUnaryOperator startTicks) {
        Matcher name = NAME.matcher(Objects.requireNonNull(directory.getFileName()).toString());
        return name.matches() && startTicks.applyAsLong(Long.parseLong(name.group(1))) != Long.parseLong(name.group(2));
    }

    private static Optional<NodeEntry> read(Path directory) {
        try {
            Node node = JSON.readValue(Files.readString(directory.resolve(NODE)), Node.class);
            List<ProcessRecord> records = new ArrayList<>();
            try (Stream<Path> files = Files.list(directory)) {
                files.map(ProcessRegistry::readRecord).flatMap(Optional::stream).forEach(records::add);
            }
            return Optional.of(new NodeEntry(directory, node, records));
        } catch (IOException | JacksonException e) {
            // Another node is creating or deleting the directory at this moment.
            LOG.debug("Cannot read registry entry {}", directory, e);
            return Optional.empty();
        }
    }

    private static Optional<ProcessRecord> readRecord(Path file) {
        String name = Objects.requireNonNull(file.getFileName()).toString();
        if (!name.endsWith(SUFFIX) || name.equals(NODE)) {
            return Optional.empty();
        }
        try {
            ProcessMark mark = ProcessMark.parse(name.substring(0, name.length() - SUFFIX.length()));
            return Optional.of(JSON.readValue(Files.readString(file), RecordFile.class).toRecord(mark));
        } catch (IOException | JacksonException | NumberFormatException e) {
            LOG.warn("Ignoring {} in the process registry, which is not a process record: {}", file, e.getMessage());
            return Optional.empty();
        }
    }

    /** Deletes the record of another node's process. */
    static void remove(NodeEntry entry, ProcessMark mark) {
        delete(entry.directory().resolve(mark + SUFFIX));
    }

    /** Deletes the directory of a node, unless a process record is left in it. */
    static void removeIfEmpty(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> all = files.toList();
            if (all.stream().anyMatch(file -> readRecord(file).isPresent())) {
                return;
            }
            all.forEach(ProcessRegistry::delete);
            Files.deleteIfExists(directory);
        } catch (NoSuchFileException e) {
            LOG.debug("Already deleted: {}", directory, e);
        } catch (IOException e) {
            LOG.warn("Cannot delete {} from the process registry: {}", directory, e.getMessage());
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("Cannot delete {} from the process registry: {}", file, e.getMessage());
        }
    }

    void close() {
        removeIfEmpty(own);
    }
}
