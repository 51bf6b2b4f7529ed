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
 * The units of a batch on their way into the store, one JSON a line. The file is on disk before the batch's job is, and is
 * deleted when that has ended; its name is that job's id, so that one whose job never came, or is gone, can be told.
 */
public record UnitsFile(Path path) {

    private static final String ENDING = ".jsonl";

    /** Writes it; when this returns, a crash cannot take it back. */
    public static UnitsFile write(Path directory, JobId batch, List<JsonNode> units) throws IOException {
        Files.createDirectories(directory);
        Path file = directory.resolve(batch + ENDING);
        Path draft = directory.resolve(batch + ENDING + ".tmp");
        try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.CREATE,
                StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
                OutputStream bytes = Channels.newOutputStream(channel);
                BufferedWriter lines = new BufferedWriter(
                        new OutputStreamWriter(bytes, StandardCharsets.UTF_8))) {
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

    /** In their order. */
    void forEach(Consumer<JsonNode> unit) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(path)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                unit.accept(ControlJson.tree(line));
            }
        }
    }

    public void delete() throws IOException {
        Files.deleteIfExists(path);
    }

    /** Deletes the files of batches that need them no longer. */
    static void sweep(Path directory, Predicate<JobId> isNeeded) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + ENDING + "*")) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (!name.endsWith(ENDING)
                        || !isNeeded.test(JobId.of(name.substring(0, name.length() - ENDING.length())))) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
