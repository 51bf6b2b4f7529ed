package dev.heddle.engine.log;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.env.Environment;
import dev.heddle.log.JobLog;
import dev.heddle.log.JobLogBridge;
import dev.heddle.log.LogChunk;
import dev.heddle.log.LogLine;
import dev.heddle.log.LogPosition;
import dev.heddle.log.LogStore;
import dev.heddle.log.LogStream;
import dev.heddle.store.Fence;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The log of one attempt while it runs here. Whatever a handler logs, and however fast, it waits in bounded memory: the
 * handler never waits for the store.
 */
public final class AttemptLog implements JobLog {

    private static final int LONGEST_LINE = 16 << 10;
    private static final int CHUNKS_READ = 100;

    private final LogWriter writer;
    private final Environment env;
    private final String job;
    private final Fence fence;
    private final boolean adopted;
    // Guarded by this.
    private @Nullable PendingLines pending;
    private long lastNumber;
    private boolean queued;
    private boolean closed;
    // Confined to the writer.
    private final StoredTail stored = new StoredTail();
    private boolean resumed;
    private long earlierLines;

    AttemptLog(LogWriter writer, Environment env, String job, Fence fence, boolean adopted) {
        this.writer = writer;
        this.env = env;
        this.job = job;
        this.fence = fence;
        this.adopted = adopted;
    }

    @Override
    public int attempt() {
        return fence.attempt();
    }

    @Override
    public void add(Level level, LogStream stream, String text) {
        String kept = text.length() <= LONGEST_LINE ? text
                : text.substring(0, LONGEST_LINE) + " … (" + (text.length() - LONGEST_LINE)
                        + " more characters)";
        boolean wake = false;
        synchronized (this) {
            if (closed) {
                return;
            }
            lastNumber++;
            if (writer.isFull()) {
                return;
            }
            if (pending == null) {
                pending = new PendingLines(adopted);
            }
            LogLine line = new LogLine(fence.attempt(), lastNumber,
                    env.clock().instant().truncatedTo(ChronoUnit.MILLIS), level, stream, kept);
            writer.held(pending.add(line));
            if (!queued) {
                queued = true;
                wake = true;
            }
        }
        if (wake) {
            writer.enqueue(this);
        }
    }

    /** Adds nothing any more, because the attempt has ended. What waits is still stored. */
    public void close() {
        JobLogBridge.close(job, this);
        synchronized (this) {
            closed = true;
        }
    }

    /** Returns where the chunks of this attempt are stored. */
    Fence fence() {
        return fence;
    }

    /** Takes all lines that wait, as chunks to store. */
    List<LogStore.Append> take(LogStore store) {
        if (adopted && !resumed) {
            resume(store);
        }
        List<PendingLines.Piece> pieces;
        boolean ended;
        synchronized (this) {
            queued = false;
            ended = closed;
            if (pending == null) {
                return List.of();
            }
            writer.held(-pending.bytes());
            pieces = pending.take();
        }
        List<LogStore.Append> appends = new ArrayList<>(pieces.size());
        for (PendingLines.Piece piece : pieces) {
            boolean last = ended && appends.size() == pieces.size() - 1;
            appends.add(append(piece, last));
        }
        return appends;
    }

    private LogStore.Append append(PendingLines.Piece piece, boolean last) {
        LogChunk chunk = new LogChunk(fence.attempt(), numbered(piece.lines()), last);
        if (!piece.tail()) {
            stored.addToHead(chunk.lastLine(), piece.bytes());
            return new LogStore.Append(fence, chunk);
        }
        long gone = stored.addToTail(chunk.lastLine(), piece.bytes());
        return new LogStore.Append(fence, chunk, gone == 0 ? 0 : stored.headEnd(), gone);
    }

    /** Continues the numbers of the lines that this attempt wrote on another node. */
    private List<LogLine> numbered(List<LogLine> lines) {
        return earlierLines == 0 ? lines
                : lines.stream().map(line -> new LogLine(line.attempt(), line.number() + earlierLines, line.at(),
                        line.level(), line.stream(), line.text())).toList();
    }

    private void resume(LogStore store) {
        LogPosition from = new LogPosition(fence.attempt(), 0);
        List<LogChunk> chunks;
        do {
            chunks = store.chunks(fence.seq(), from, CHUNKS_READ).stream()
                    .filter(chunk -> chunk.attempt() == fence.attempt()).toList();
            for (LogChunk chunk : chunks) {
                stored.found(chunk.lastLine(), chunk.lines().stream().mapToInt(PendingLines::bytes).sum());
                from = new LogPosition(fence.attempt(), chunk.lastLine() + 1);
            }
        } while (chunks.size() == CHUNKS_READ);
        earlierLines = stored.lastLine();
        resumed = true;
    }

    /** Drops everything, because the attempt has lost its job. */
    void refuse() {
        close();
        synchronized (this) {
            if (pending != null) {
                writer.held(-pending.bytes());
                pending = null;
            }
        }
    }
}
