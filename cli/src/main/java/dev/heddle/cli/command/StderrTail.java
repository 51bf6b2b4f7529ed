package dev.heddle.cli.command;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

import dev.heddle.control.ControlException;
import dev.heddle.control.model.OutputChunk;
import dev.heddle.control.model.OutputQuery;
import dev.heddle.run.Run.Channel;

/** Reads the end of what a process wrote to its standard error. */
final class StderrTail {

    private static final int LINES = 10;
    private static final int BYTES = 4 << 10;
    /** How many chunks are read at most. A program that wrote more has to be asked for by 'heddle job logs'. */
    private static final int CHUNKS = 64;

    private StderrTail() {}

    /** Returns the last lines of an attempt; empty if there are none or this machine cannot read them. */
    static List<String> read(Function<OutputQuery, OutputChunk> source, int attempt) {
        byte[] end = new byte[0];
        long offset = 0;
        try {
            for (int i = 0; i < CHUNKS; i++) {
                OutputChunk chunk = source.apply(new OutputQuery(attempt, Channel.STDERR, offset, Duration.ZERO));
                end = last(end, chunk.bytes());
                if (chunk.last() || chunk.next() <= offset) {
                    break;
                }
                offset = chunk.next();
            }
        } catch (ControlException e) {
            return List.of(); // the failure of the job matters more
        }
        List<String> lines = new String(end, StandardCharsets.UTF_8).lines().toList();
        // The first one is cut, if anything is.
        int from = Math.max(end.length == BYTES ? 1 : 0, lines.size() - LINES);
        return lines.subList(Math.min(from, lines.size()), lines.size());
    }

    private static byte[] last(byte[] kept, byte[] more) {
        byte[] all = Arrays.copyOf(kept, kept.length + more.length);
        System.arraycopy(more, 0, all, kept.length, more.length);
        return all.length <= BYTES ? all : Arrays.copyOfRange(all, all.length - BYTES, all.length);
    }
}
