package dev.heddle.output;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that a process appends to and that is kept from growing without bounds. The process writes to the file
 * directly: no thread of this JVM is involved, and nothing is lost if this JVM dies. Output over the limit is truncated
 * while the process is writing, which a file opened for appending survives. When the process has ended, a marker and
 * the last bytes of the output are appended, because the end usually explains a failure.
 */
final class CappedFile {

    /** How many of the last bytes are kept beyond the limit. */
    static final int TAIL = 1 << 20;
    private static final int MAX_READS = 50;

    private final Path path;
    private byte[] tail = new byte[0];
    private long droppedBytes;

    CappedFile(Path path) {
        this.path = path;
    }

    long size() throws IOException {
        return OutputReader.size(path);
    }

    /** Truncates the file if it is larger than it will be at the end. */
    void cap(long limit) throws IOException {
        long size = size();
        if (size > limit + TAIL) {
            truncate(limit, size);
        }
    }

    /**
     * Truncates the file to the limit and remembers its tail. If the process writes more meanwhile, this reads again,
     * up to a number of times. Bytes written between the last read and the truncation are lost. In a stream that never
     * pauses, they are only a piece of its middle.
     */
    private void truncate(long limit, long firstSize) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long from = limit;
            long size = firstSize;
            for (int reads = 0; size > from && reads < MAX_READS; reads++) {
                byte[] last = read(file, Math.max(from, size - TAIL), (int) Math.min(TAIL, size - from));
                droppedBytes += size - from + tail.length;
                tail = lastBytes(tail, last);
                droppedBytes -= tail.length;
                from = size;
                size = file.size();
            }
            file.truncate(limit);
        }
    }

    private static byte[] lastBytes(byte[] first, byte[] second) {
        byte[] both = new byte[Math.min(TAIL, first.length + second.length)];
        int fromFirst = both.length - second.length;
        System.arraycopy(first, first.length - fromFirst, both, 0, fromFirst);
        System.arraycopy(second, 0, both, fromFirst, second.length);
        return both;
    }

    /**
     * Truncates the file to the limit and appends a marker and the tail. Call this after the process has ended.
     *
     * @return whether anything was left out
     */
    boolean finish(long limit) throws IOException {
        long size = size();
        if (size > limit) {
            truncate(limit, size);
        } else if (tail.length == 0) {
            return false;
        }
        String marker = "\n[heddle: output limit of " + limit + " bytes exceeded; about " + droppedBytes
                + " bytes are left out here]\n";
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.APPEND)) {
            write(file, marker.getBytes(StandardCharsets.UTF_8));
            write(file, tail);
        }
        return true;
    }

    private static void write(FileChannel file, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            file.write(buffer);
        }
    }

    /** Reads up to a number of bytes at an offset; fewer if the file ends before. */
    static byte[] read(FileChannel file, long offset, int maxBytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.clamp(file.size() - offset, 0L, maxBytes));
        while (buffer.hasRemaining() && file.read(buffer, offset + buffer.position()) >= 0) {
            // Continue until the buffer is full or the file ends.
        }
        byte[] read = new byte[buffer.position()];
        buffer.flip().get(read);
        return read;
    }
}
