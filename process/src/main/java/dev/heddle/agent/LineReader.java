package dev.heddle.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/** Reads lines of any length in little memory. */
final class LineReader {

    /** Lines up to here are loaded as they are. */
    private static final int LONGEST = 1 << 20;
    private static final int BUFFER = 64 * 1024;

    private final Consumer<RawLine> sink;
    private final byte[] buffer = new byte[BUFFER];
    private ByteArrayOutputStream line = new ByteArrayOutputStream();
    private @Nullable Abridger abridger;
    private long length;

    LineReader(Consumer<RawLine> sink) {
        this.sink = sink;
    }

    /**
     * Reads all that is there.
     *
     * @param ended whether nothing will follow, so that the rest without a line end is a line too
     * @return how many bytes were used; the next reading begins behind them
     */
    long read(InputStream in, boolean ended) throws IOException {
        long used = 0;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            int from = 0;
            for (int i = 0; i < count; i++) {
                if (buffer[i] == '\n') {
                    add(from, i);
                    used += length + 1;
                    end();
                    from = i + 1;
                }
            }
            add(from, count);
        }
        if (ended && length > 0) {
            used += length;
            end();
        }
        forget();
        return used;
    }

    private void add(int from, int to) {
        length += to - from;
        if (abridger != null) {
            abridger.add(buffer, from, to);
        } else if (length > LONGEST) {
            byte[] before = line.toByteArray();
            abridger = new Abridger();
            abridger.add(before, 0, before.length);
            abridger.add(buffer, from, to);
            line = new ByteArrayOutputStream();
        } else {
            line.write(buffer, from, to - from);
        }
    }

    private void end() {
        sink.accept(abridger == null ? new RawLine(text(), length, RawLine.Form.WHOLE) : abridged(abridger));
        forget();
    }

    private String text() {
        String text = line.toString(StandardCharsets.UTF_8);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    private RawLine abridged(Abridger shortened) {
        return shortened.text().map(text -> new RawLine(text, length, RawLine.Form.ABRIDGED))
                .orElseGet(() -> new RawLine(shortened.beginning(), length, RawLine.Form.BEGINNING));
    }

    private void forget() {
        line.reset();
        abridger = null;
        length = 0;
    }
}
