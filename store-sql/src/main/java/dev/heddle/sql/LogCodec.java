package dev.heddle.sql;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.log.LogChunk;
import dev.heddle.log.LogLine;
import dev.heddle.log.LogStream;
import org.slf4j.event.Level;

/**
 * Writes the lines of a {@link LogChunk} as bytes and reads them. The bytes are a version, whether it is the last chunk,
 * and for each line: the distances of its number and its time to those of the line before, its level and stream, and
 * the length and bytes of its text in UTF-8. Numbers have 7 bits in a byte, the lowest first.
 */
final class LogCodec {

    private static final byte VERSION = 1;
    /** In the order of their codes, which never change. */
    private static final List<Level> LEVELS = List.of(Level.TRACE, Level.DEBUG, Level.INFO, Level.WARN, Level.ERROR);
    private static final List<LogStream> STREAMS = List.of(LogStream.LOG, LogStream.STDOUT, LogStream.STDERR);

    private LogCodec() {}

    static byte[] write(LogChunk chunk) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(64 * chunk.lines().size());
        out.write(VERSION);
        out.write(chunk.last() ? 1 : 0);
        long number = 0;
        long time = 0;
        for (LogLine line : chunk.lines()) {
            long at = line.at().toEpochMilli();
            writeNumber(out, line.number() - number);
            // Zigzag, because clocks can go back.
            writeNumber(out, ((at - time) << 1) ^ ((at - time) >> 63));
            out.write((LEVELS.indexOf(line.level()) << 4) | STREAMS.indexOf(line.stream()));
            byte[] text = line.text().getBytes(StandardCharsets.UTF_8);
            writeNumber(out, text.length);
            out.writeBytes(text);
            number = line.number();
            time = at;
        }
        return out.toByteArray();
    }

    private static void writeNumber(ByteArrayOutputStream out, long number) {
        long rest = number;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    /**
     * Reads a chunk of an attempt.
     *
     * @throws IllegalArgumentException if the bytes are damaged, or written by a later version
     */
    static LogChunk read(int attempt, byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            if (in.get() != VERSION) {
                throw new IllegalArgumentException("a chunk of a log has version " + bytes[0]);
            }
            boolean last = in.get() == 1;
            List<LogLine> lines = new ArrayList<>();
            long number = 0;
            long time = 0;
            while (in.hasRemaining()) {
                number += readNumber(in);
                long zigzag = readNumber(in);
                time += (zigzag >>> 1) ^ -(zigzag & 1);
                int kind = in.get();
                byte[] text = new byte[(int) Math.clamp(readNumber(in), 0L, in.remaining() + 1L)];
                in.get(text);
                lines.add(new LogLine(attempt, number, Instant.ofEpochMilli(time), LEVELS.get(kind >> 4),
                        STREAMS.get(kind & 0xF), new String(text, StandardCharsets.UTF_8)));
            }
            return new LogChunk(attempt, lines, last);
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("a chunk of a log is damaged", e);
        }
    }

    private static long readNumber(ByteBuffer in) {
        long number = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte next = in.get();
            number |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new IllegalArgumentException("a number in a chunk of a log is too long");
    }
}
