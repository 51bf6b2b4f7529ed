package dev.heddle.agent;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Shortens the strings of a JSON text byte by byte, so that a line of any length can be understood in little memory: who
 * wants to know what a run cost has no use for the 20 MB that one of its tools printed. What it makes of something that
 * is no JSON is no JSON either.
 */
final class Abridger {

    /** What is left of a string. */
    private static final int KEPT = 64 * 1024;
    /** What a line may have left in all. */
    private static final int MOST = 8 << 20;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private boolean inString;
    private long length;
    private long leftOut;
    /** How many of the next bytes belong to an escape. */
    private int escaped;
    private boolean tooMuch;

    void add(byte[] bytes, int from, int to) {
        for (int i = from; i < to && !tooMuch; i++) {
            add(bytes[i]);
        }
    }

    private void add(byte b) {
        if (!inString) {
            inString = b == '"';
            length = 0;
            write(b);
            return;
        }
        boolean boundary = escaped == 0 && (b & 0xC0) != 0x80;
        if (escaped > 0) {
            escaped = escaped < 5 ? escaped - 1 : b == 'u' ? 4 : 0;
        } else if (b == '\\') {
            escaped = 5;
        } else if (b == '"') {
            endString();
            return;
        }
        if (leftOut > 0 || (length >= KEPT && boundary)) {
            leftOut++;
        } else {
            length++;
            write(b);
        }
    }

    private void endString() {
        if (leftOut > 0) {
            byte[] mark = ("… [" + leftOut + " more bytes in the transcript]")
                    .getBytes(StandardCharsets.UTF_8);
            out.write(mark, 0, mark.length);
        }
        write((byte) '"');
        inString = false;
        leftOut = 0;
    }

    private void write(byte b) {
        out.write(b);
        tooMuch = out.size() > MOST;
    }

    /** Empty where it is still too long, or was no JSON object to begin with. */
    Optional<String> text() {
        String text = out.toString(StandardCharsets.UTF_8);
        return tooMuch || inString || !text.startsWith("{") ? Optional.empty() : Optional.of(text);
    }

    String beginning() {
        String text = out.toString(StandardCharsets.UTF_8);
        return text.substring(0, Math.min(200, text.length()));
    }
}
