package dev.heddle.engine.log;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Decides which stored chunks of an attempt have to go: those between its head and its last {@link PendingLines#HALF}
 * bytes. Does no I/O. Not thread-safe.
 */
final class StoredTail {

    private final Deque<Chunk> chunks = new ArrayDeque<>(0);
    private long headEnd;
    private long headBytes;
    private long tailBytes;
    private long lastLine;

    private record Chunk(long lastLine, int bytes) {}

    /** Notes a chunk that was stored for this attempt on another node. */
    void found(long line, int bytes) {
        if (chunks.isEmpty() && headBytes + bytes <= PendingLines.HALF) {
            addToHead(line, bytes);
        } else {
            addToTail(line, bytes);
        }
    }

    /** Notes a chunk of the head. */
    void addToHead(long line, int bytes) {
        headEnd = line;
        headBytes += bytes;
        lastLine = line;
    }

    /** Notes a chunk of the tail; returns the last line of those that have to go, 0 if none. */
    long addToTail(long line, int bytes) {
        chunks.add(new Chunk(line, bytes));
        tailBytes += bytes;
        lastLine = line;
        long gone = 0;
        while (tailBytes > PendingLines.HALF && chunks.size() > 1) {
            Chunk oldest = chunks.remove();
            tailBytes -= oldest.bytes;
            gone = oldest.lastLine;
        }
        return gone;
    }

    /** Returns the last line of the head. */
    long headEnd() {
        return headEnd;
    }

    /** Returns the last line so far. */
    long lastLine() {
        return lastLine;
    }
}
