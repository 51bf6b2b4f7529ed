package dev.heddle.external;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Makes lines of the bytes a process writes, however they arrive. A line longer than the limit is counted and not kept,
 * so that no worker can fill the node's memory. What follows the last line end comes as a line when the stream closes.
 */
final class LineSplitter extends OutputStream {

    private static final int START_KEPT = 200;
    private static final int SMALL = 8 * 1024;

    private final int longest;
    private final Consumer<Line> sink;
    private byte[] buffer = new byte[SMALL];
    private int used;
    /** The length of the line so far, where it is too long already; else 0. */
    private long overlong;

    LineSplitter(int longest, Consumer<Line> sink) {
        this.longest = longest;
        this.sink = sink;
    }

    @Override
    public void write(int b) {
        write(new byte[]{(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        int from = offset;
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] == '\n') {
                keep(bytes, from, i - from);
                end();
                from = i + 1;
            }
        }
        keep(bytes, from, offset + length - from);
    }

    private void keep(byte[] bytes, int from, int length) {
        if (overlong > 0) {
            overlong += length;
        } else if (used + (long) length > longest) {
            overlong = used + (long) length;
            int room = Math.max(0, START_KEPT - used);
            append(bytes, from, Math.min(room, length));
            buffer = Arrays.copyOf(buffer, START_KEPT);
            used = Math.min(used, START_KEPT);
        } else {
            append(bytes, from, length);
        }
    }

    private void append(byte[] bytes, int from, int length) {
        if (used + length > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(used + length, buffer.length * 2));
        }
        System.arraycopy(bytes, from, buffer, used, length);
        used += length;
    }

    private void end() {
        String text = new String(buffer, 0, used, StandardCharsets.UTF_8);
        Line line = overlong > 0 ? new Line.TooLong(text, overlong) : new Line.Text(text);
        overlong = 0;
        used = 0;
        if (buffer.length != SMALL) {
            buffer = new byte[SMALL];
        }
        sink.accept(line);
    }

    @Override
    public void close() {
        if (used > 0 || overlong > 0) {
            end();
        }
    }
}
