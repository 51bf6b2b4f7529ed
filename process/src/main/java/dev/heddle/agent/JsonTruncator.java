package dev.heddle.agent;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Truncates long strings in a JSON text while it is being read, byte by byte. A line of any length can then be parsed
 * in little memory: computing what a run cost does not need the 20 MB that one of its tools printed. Input that is not
 * JSON yields output that is not JSON.
 */
final class JsonTruncator {

    private static final int MAX_STRING_BYTES = 64 * 1024;
    private static final int MAX_LINE_BYTES = 8 << 20;
    private static final int PREFIX_LENGTH = 200;
    /** Marks the byte after a backslash, which tells how long the escape is. */
    private static final int ESCAPE_START = 5;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private boolean inString;
    private long length;
    private long droppedBytes;
    /** The number of bytes that still belong to the current escape sequence. */
    private int escapeBytes;
    private boolean overflow;

    void append(byte[] bytes, int from, int to) {
        for (int i = from; i < to && !overflow; i++) {
            append(bytes[i]);
        }
    }

    private void append(byte b) {
        if (!inString) {
            inString = b == '"';
            length = 0;
            write(b);
            return;
        }
        boolean boundary = escapeBytes == 0 && (b & 0xC0) != 0x80;
        if (escapeBytes > 0) {
            escapeBytes = escapeBytes < ESCAPE_START ? escapeBytes - 1 : b == 'u' ? 4 : 0;
        } else if (b == '\\') {
            escapeBytes = ESCAPE_START;
        } else if (b == '"') {
            endString();
            return;
        }
        if (droppedBytes > 0 || (length >= MAX_STRING_BYTES && boundary)) {
            droppedBytes++;
        } else {
            length++;
            write(b);
        }
    }

    private void endString() {
        if (droppedBytes > 0) {
            byte[] mark = ("… [" + droppedBytes + " more bytes in the transcript]").getBytes(StandardCharsets.UTF_8);
            out.write(mark, 0, mark.length);
        }
        write((byte) '"');
        inString = false;
        droppedBytes = 0;
    }

    private void write(byte b) {
        out.write(b);
        overflow = out.size() > MAX_LINE_BYTES;
    }

    /** Returns the truncated text; empty if it is still too long or does not look like a JSON object. */
    Optional<String> result() {
        String text = out.toString(StandardCharsets.UTF_8);
        return overflow || inString || !text.startsWith("{") ? Optional.empty() : Optional.of(text);
    }

    String prefix() {
        String text = out.toString(StandardCharsets.UTF_8);
        return text.substring(0, Math.min(PREFIX_LENGTH, text.length()));
    }
}
