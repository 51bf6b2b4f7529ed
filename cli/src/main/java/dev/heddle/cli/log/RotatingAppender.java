package dev.heddle.cli.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.Layout;
import org.jspecify.annotations.Nullable;

/**
 * Appends events to a {@link RotatedLog} and rotates it before an event would make the file too large. Logback's own
 * policy looks at the size once a minute, in which a node can fill a disk.
 */
final class RotatingAppender extends AppenderBase<ILoggingEvent> {

    private final RotatedLog log;
    private final Layout<ILoggingEvent> layout;
    private final int maxBytes;
    private final int oldFiles;
    /** Null if the file could not be opened or written. The next event tries again. */
    private @Nullable OutputStream stream;
    private long size;

    /**
     * Creates an appender.
     *
     * @param maxBytes the most that a file may have
     * @param oldFiles how many old files are kept
     */
    RotatingAppender(Path file, Layout<ILoggingEvent> layout, int maxBytes, int oldFiles) {
        this.log = new RotatedLog(file);
        this.layout = layout;
        this.maxBytes = maxBytes;
        this.oldFiles = oldFiles;
    }

    @Override
    protected void append(ILoggingEvent event) {
        byte[] bytes = layout.doLayout(event).getBytes(StandardCharsets.UTF_8);
        try {
            write(bytes.length > maxBytes ? Arrays.copyOf(bytes, maxBytes) : bytes);
        } catch (IOException e) {
            addError("Cannot write to " + log.file(), e);
            close();
        }
    }

    private void write(byte[] bytes) throws IOException {
        OutputStream to = stream == null ? open() : stream;
        if (size > 0 && size + bytes.length > maxBytes) {
            to.close();
            log.rotate(oldFiles);
            to = open();
        }
        to.write(bytes);
        size += bytes.length;
    }

    private OutputStream open() throws IOException {
        Files.createDirectories(Objects.requireNonNull(log.file().toAbsolutePath().getParent()));
        OutputStream opened = Files.newOutputStream(log.file(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        stream = opened;
        size = Files.size(log.file());
        return opened;
    }

    private void close() {
        OutputStream open = stream;
        stream = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                addError("Cannot close " + log.file(), e);
            }
        }
    }

    @Override
    public void stop() {
        super.stop();
        close();
    }
}
