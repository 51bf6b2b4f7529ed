package dev.heddle.simulation;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file of reports, one on each line. Each is written at once, so whatever was told is there even if the process is
 * killed right then.
 */
final class ReportFile implements AutoCloseable {

    private final OutputStream file;

    private ReportFile(OutputStream file) {
        this.file = file;
    }

    /** Opens a file to append to. It does not mind if a thread that writes is interrupted. */
    static ReportFile open(Path path) throws IOException {
        return new ReportFile(new FileOutputStream(path.toFile(), true));
    }

    void write(Report report) {
        try {
            file.write((report.line() + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the reports of a process, which may be writing or dead: a last line without an end is none. */
    static List<Report> read(Path path) {
        try {
            String text = Files.exists(path) ? Files.readString(path) : "";
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(Report::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
