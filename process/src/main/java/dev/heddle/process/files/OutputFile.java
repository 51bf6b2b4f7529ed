package dev.heddle.process.files;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A temporary file for the output of a short command. Unlike a pipe, reading it never blocks, even if the command has
 * left a process behind.
 */
public final class OutputFile implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OutputFile.class);

    private final Path path;
    /** Not a channel: an interrupt would close it. */
    private final InputStream content;

    private OutputFile(Path path, InputStream content) {
        this.path = path;
        this.content = content;
    }

    /** Creates an empty file. */
    public static OutputFile create() throws IOException {
        Path path = Files.createTempFile(ScratchDirectory.ofThisProcess(), "output-", "");
        return new OutputFile(path, new FileInputStream(path.toFile()));
    }

    /** Returns where to redirect the command. */
    public ProcessBuilder.Redirect redirect() {
        return ProcessBuilder.Redirect.to(path.toFile());
    }

    /** Deletes the name of the file, if the system allows that. Call this once the command has opened it. */
    public void unlink() {
        if (!path.toFile().delete()) {
            LOG.debug("{} cannot be deleted before the command has ended", path);
        }
    }

    /** Returns everything that the command has written. */
    public String text() throws IOException {
        return text(Integer.MAX_VALUE);
    }

    /** Returns the first bytes of what the command has written. */
    public String text(int limit) throws IOException {
        return new String(content.readNBytes(limit), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        content.close();
        Files.deleteIfExists(path);
    }
}
