package dev.heddle.cli.batch;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

import dev.heddle.control.ControlJson;
import dev.heddle.job.JobId;
import tools.jackson.databind.JsonNode;

/**
 * The units of a batch before they become jobs, one JSON value per line. The file is written before the batch's job is
 * submitted and deleted when the job has ended. Its name is the id of the job, which identifies orphaned files.
 */
public record UnitsFile(Path path) {

    private static final String SUFFIX = ".jsonl";

    /** Writes the file durably: it survives a crash once this returns. */
    public static UnitsFile write(Path directory, JobId batch, List<JsonNode> units) throws IOException {
        Files.createDirectories(directory);
        Path file = directory.resolve(batch + SUFFIX);
        Path draft = directory.resolve(batch + SUFFIX + ".tmp");
        try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
                OutputStream bytes = Channels.newOutputStream(channel);
                BufferedWriter lines = new BufferedWriter(new OutputStreamWriter(bytes, StandardCharsets.UTF_8))) {
            for (JsonNode unit : units) {
                lines.write(ControlJson.write(unit));
                lines.write('\n');
            }
            lines.flush();
            channel.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        return new UnitsFile(file);
    }

    /** Passes each unit to the consumer, in order. */
    void forEach(Consumer<JsonNode> unit) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(path)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                unit.accept(ControlJson.tree(line));
            }
        }
    }

    /** Deletes the file if it exists. */
    public void delete() throws IOException {
        Files.deleteIfExists(path);
    }

    /** Deletes the files of batches that no longer need them. */
    static void sweep(Path directory, Predicate<JobId> isNeeded) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX + "*")) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (!name.endsWith(SUFFIX)
                        || !isNeeded.test(JobId.of(name.substring(0, name.length() - SUFFIX.length())))) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
