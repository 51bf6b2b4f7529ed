package dev.heddle.external;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Splits the bytes that a process writes into lines. A line over the limit is counted but not kept, so a worker cannot
 * exhaust the node's memory. An unfinished last line is delivered when the stream is closed.
 */
final class LineSplitter extends OutputStream {

    private static final int KEPT_START = 200;
    private static final int INITIAL_BUFFER = 8 * 1024;

    private final int maxBytes;
    private final Consumer<OutputLine> sink;
    private byte[] buffer = new byte[INITIAL_BUFFER];
    private int used;
    /** The length of the current line if it is over the limit already, otherwise 0. */
    private long overlong;

    LineSplitter(int maxBytes, Consumer<OutputLine> sink) {
        this.maxBytes = maxBytes;
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
                add(bytes, from, i - from);
                endLine();
                from = i + 1;
            }
        }
        add(bytes, from, offset + length - from);
    }

    private void add(byte[] bytes, int from, int length) {
        if (overlong > 0) {
            overlong += length;
        } else if (used + (long) length > maxBytes) {
            overlong = used + (long) length;
            int missing = Math.max(0, KEPT_START - used);
            append(bytes, from, Math.min(missing, length));
            buffer = Arrays.copyOf(buffer, KEPT_START);
            used = Math.min(used, KEPT_START);
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

    private void endLine() {
        String text = new String(buffer, 0, used, StandardCharsets.UTF_8);
        OutputLine line = overlong > 0 ? new OutputLine.TooLong(text, overlong) : new OutputLine.Text(text);
        overlong = 0;
        used = 0;
        if (buffer.length != INITIAL_BUFFER) {
            buffer = new byte[INITIAL_BUFFER];
        }
        sink.accept(line);
    }

    @Override
    public void close() {
        if (used > 0 || overlong > 0) {
            endLine();
        }
    }
}
