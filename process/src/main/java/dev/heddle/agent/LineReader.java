package dev.heddle.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/** Splits a stream into lines of any length, using little memory. */
final class LineReader {

    /** Longer lines are truncated while they are read. */
    private static final int MAX_WHOLE_LINE = 1 << 20;
    private static final int BUFFER = 64 * 1024;

    private final Consumer<RawLine> sink;
    private final byte[] buffer = new byte[BUFFER];
    private ByteArrayOutputStream line = new ByteArrayOutputStream();
    private @Nullable JsonTruncator truncator;
    private long length;

    LineReader(Consumer<RawLine> sink) {
        this.sink = sink;
    }

    /**
     * Reads the stream to its end.
     *
     * @param complete whether nothing will follow, which makes a rest without a line end a line too
     * @return how many bytes were consumed; the next read starts after them
     */
    long read(InputStream in, boolean complete) throws IOException {
        long consumed = 0;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            int from = 0;
            for (int i = 0; i < count; i++) {
                if (buffer[i] == '\n') {
                    append(from, i);
                    consumed += length + 1;
                    endLine();
                    from = i + 1;
                }
            }
            append(from, count);
        }
        if (complete && length > 0) {
            consumed += length;
            endLine();
        }
        reset();
        return consumed;
    }

    private void append(int from, int to) {
        length += to - from;
        if (truncator != null) {
            truncator.append(buffer, from, to);
        } else if (length > MAX_WHOLE_LINE) {
            byte[] before = line.toByteArray();
            truncator = new JsonTruncator();
            truncator.append(before, 0, before.length);
            truncator.append(buffer, from, to);
            line = new ByteArrayOutputStream();
        } else {
            line.write(buffer, from, to - from);
        }
    }

    private void endLine() {
        sink.accept(truncator == null ? new RawLine(text(), length, RawLine.Form.WHOLE) : truncated(truncator));
        reset();
    }

    private String text() {
        String text = line.toString(StandardCharsets.UTF_8);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    private RawLine truncated(JsonTruncator json) {
        return json.result().map(text -> new RawLine(text, length, RawLine.Form.TRUNCATED))
                .orElseGet(() -> new RawLine(json.prefix(), length, RawLine.Form.PREFIX));
    }

    private void reset() {
        line.reset();
        truncator = null;
        length = 0;
    }
}
