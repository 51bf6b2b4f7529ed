package dev.heddle.output;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that a process appends to while it is kept from growing without end. The process writes to it directly, so that
 * no thread of ours stands between them and nothing is lost when this JVM dies; what is over the limit is cut off behind
 * its back, which a file opened for appending survives. When the process has ended, a mark and the very end of what was
 * written follow: the end is where a failure says why.
 */
final class OutputFile {

    /** How much of the end is kept beyond the limit. */
    static final int END = 1 << 20;
    /** How far it may grow over the limit before it is cut, so that cutting is rare. */
    private static final int SLACK = 16 << 20;
    private static final int MOST_LOOKS = 50;

    private final Path path;
    private byte[] end = new byte[0];
    private long leftOut;

    OutputFile(Path path) {
        this.path = path;
    }

    long size() throws IOException {
        return Files.exists(path) ? Files.size(path) : 0;
    }

    /** Cuts what is far over the limit. */
    void cap(long limit) throws IOException {
        long size = size();
        if (size > limit + SLACK) {
            cut(limit, size);
        }
    }

    /**
     * What comes while the end is being read is read, too, until nothing comes or it is hopeless: what is written between
     * the last look and the cut is lost, which in a stream that does not stop is no more than a piece of its middle.
     */
    private void cut(long limit, long firstSize) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long from = limit;
            long size = firstSize;
            for (int looks = 0; size > from && looks < MOST_LOOKS; looks++) {
                byte[] last = read(file, Math.max(from, size - END), (int) Math.min(END, size - from));
                leftOut += size - from + end.length;
                end = joined(end, last);
                leftOut -= end.length;
                from = size;
                size = file.size();
            }
            file.truncate(limit);
        }
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = new byte[Math.min(END, first.length + second.length)];
        int fromFirst = both.length - second.length;
        System.arraycopy(first, first.length - fromFirst, both, 0, fromFirst);
        System.arraycopy(second, 0, both, fromFirst, second.length);
        return both;
    }

    /** Nobody writes any more: what is over the limit becomes a mark and the end. Says whether there was any. */
    boolean finish(long limit) throws IOException {
        long size = size();
        if (size > limit) {
            cut(limit, size);
        } else if (end.length == 0) {
            return false;
        }
        String mark = "\n[heddle: the output is over its limit of " + limit + " bytes; about " + leftOut
                + " bytes are left out here]\n";
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.APPEND)) {
            write(file, mark.getBytes(StandardCharsets.UTF_8));
            write(file, end);
        }
        return true;
    }

    private static void write(FileChannel file, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            file.write(buffer);
        }
    }

    /** As much of the file as there is from there on, up to a number of bytes. */
    static byte[] read(FileChannel file, long offset, int most) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.clamp(file.size() - offset, 0L, most));
        while (buffer.hasRemaining() && file.read(buffer, offset + buffer.position()) >= 0) {
            // Until it is full or the file has ended.
        }
        byte[] read = new byte[buffer.position()];
        buffer.flip().get(read);
        return read;
    }
}
