package dev.heddle.engine.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import dev.heddle.log.LogLine;

/**
 * Lines of an attempt that wait to be stored. The first lines of an attempt are its head, which is kept. Later lines are
 * its tail: if too many of them wait, the oldest are dropped. Not thread-safe.
 */
final class PendingLines {

    /** The bytes of an attempt's first lines that are kept; as many are kept of its last lines. */
    static final int HALF = 512 << 10;
    /** The most bytes in one chunk, unless a line is longer. */
    static final int CHUNK = 64 << 10;
    /** What a line costs beside its text. */
    private static final int OVERHEAD = 16;

    private final Deque<Line> head = new ArrayDeque<>(4);
    private final Deque<Line> tail = new ArrayDeque<>(0);
    private int headLeft;
    private int headBytes;
    private int tailBytes;

    private record Line(LogLine line, int bytes) {}

    /**
     * Lines that go into one chunk.
     *
     * @param tail whether they may be dropped later
     */
    record Piece(List<LogLine> lines, int bytes, boolean tail) {}

    /** Creates an empty one. An attempt that goes on after its node died has its head already. */
    PendingLines(boolean hasHead) {
        headLeft = hasHead ? 0 : HALF;
    }

    /** Adds a line; returns by how many bytes that changed what waits here. */
    int add(LogLine line) {
        int bytes = bytes(line.text()) + OVERHEAD;
        int before = bytes();
        if (bytes <= headLeft) {
            head.add(new Line(line, bytes));
            headLeft -= bytes;
            headBytes += bytes;
        } else {
            headLeft = 0;
            tail.add(new Line(line, bytes));
            tailBytes += bytes;
            while (tailBytes > HALF) {
                tailBytes -= tail.remove().bytes;
            }
        }
        return bytes() - before;
    }

    int bytes() {
        return headBytes + tailBytes;
    }

    boolean isEmpty() {
        return head.isEmpty() && tail.isEmpty();
    }

    /** Takes all lines, in order. */
    List<Piece> take() {
        List<Piece> pieces = new ArrayList<>(1);
        take(head, false, pieces);
        take(tail, true, pieces);
        headBytes = 0;
        tailBytes = 0;
        return pieces;
    }

    private static void take(Deque<Line> lines, boolean isTail, List<Piece> pieces) {
        List<LogLine> piece = new ArrayList<>(lines.size());
        int bytes = 0;
        for (Line line = lines.poll(); line != null; line = lines.poll()) {
            if (bytes + line.bytes > CHUNK && !piece.isEmpty()) {
                pieces.add(new Piece(piece, bytes, isTail));
                piece = new ArrayList<>();
                bytes = 0;
            }
            piece.add(line.line);
            bytes += line.bytes;
        }
        if (!piece.isEmpty()) {
            pieces.add(new Piece(piece, bytes, isTail));
        }
    }

    static int bytes(LogLine line) {
        return bytes(line.text()) + OVERHEAD;
    }

    /** Returns the length in UTF-8. */
    private static int bytes(String text) {
        int bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // A pair of surrogates takes four bytes.
            bytes += c < 0x80 ? 0 : c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
        }
        return bytes;
    }
}
