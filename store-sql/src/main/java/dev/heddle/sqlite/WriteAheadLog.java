package dev.heddle.sqlite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extends SQLite's write-ahead log to its full size before the first commit. An fsync after a write that extends a file
 * also has to store the new length, and takes about twice as long as one after a write in place (measured: 300 against
 * 140 µs). After each checkpoint SQLite starts again at the front of the log, so a log of full size never grows.
 *
 * <p>The log is filled with zeros, which are not valid frames: SQLite ignores them until it overwrites them.
 */
final class WriteAheadLog {

    private static final Logger LOG = LoggerFactory.getLogger(WriteAheadLog.class);

    /** The number of pages after which SQLite checkpoints, and so the most frames of a page and 24 bytes in the log. */
    static final int PAGES = 2_000;

    private static final long LENGTH = PAGES * (4_096L + 24);

    private WriteAheadLog() {}

    /** Extends the log. Only the holder of the {@link DatabaseLock} may call this, before the first job. */
    static void extend(Path database) {
        Path log = database.resolveSibling(database.getFileName() + "-wal");
        try {
            // On a nearly full disk, space matters more than speed.
            if (Files.getFileStore(log).getUsableSpace() > 20L * LENGTH) {
                appendZeros(log);
            }
        } catch (IOException e) {
            LOG.debug("Cannot extend {}: {}", log, e.getMessage());
        }
    }

    private static void appendZeros(Path log) throws IOException {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            ByteBuffer zeros = ByteBuffer.allocate(64 * 1024);
            for (long size = channel.size(); size < LENGTH; size += zeros.capacity()) {
                channel.write(zeros.clear());
            }
            channel.force(true);
        }
    }
}
