package dev.heddle.output;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;

import dev.heddle.log.LogStream;

/**
 * Passes the lines that processes write to the output files of a run on, as they are written. A run that outlives its
 * node is continued where the node left off. Not thread-safe.
 */
public final class OutputTail {

    private static final int BUFFER = 64 << 10;
    /** A line that is longer is passed on in pieces. */
    private static final int LONGEST_LINE = 16 << 10;
    /** If a process has written more than this since the last call, only the end is passed on. */
    private static final int MOST_AT_ONCE = 1 << 20;

    private final RunFiles files;
    private final BiConsumer<LogStream, String> sink;
    private final Tail stdout;
    private final Tail stderr;
    private boolean savesPosition;

    /** How far one file was read. */
    private final class Tail {

        private final Path file;
        private final LogStream stream;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();
        private long offset;
        private long resumedAt;

        Tail(Path file, LogStream stream) {
            this.file = file;
            this.stream = stream;
        }

        void resume(long position) {
            offset = position;
            resumedAt = position;
        }

        /** Returns where the next line begins. */
        long position() {
            return offset - line.size();
        }

        void poll() throws IOException {
            long size = OutputReader.size(file);
            // The limit of the output has cut the file off. One that another node began may have to grow again.
            offset = size < offset && offset > resumedAt ? size : offset;
            long behind = size - offset;
            if (behind > MOST_AT_ONCE) {
                endLine();
                sink.accept(stream, "… " + (behind - MOST_AT_ONCE) + " bytes left out here");
                offset += behind - MOST_AT_ONCE;
            }
            while (behind > 0) {
                byte[] bytes = OutputReader.read(file, offset, BUFFER);
                if (bytes.length == 0) {
                    return;
                }
                offset += bytes.length;
                behind = behind > MOST_AT_ONCE ? MOST_AT_ONCE - bytes.length : behind - bytes.length;
                split(bytes);
            }
        }

        private void split(byte[] bytes) {
            for (byte next : bytes) {
                if (next == '\n') {
                    passOn();
                } else {
                    // Not within a character, if the bytes are text.
                    boolean startsCharacter = (next & 0xC0) != 0x80;
                    if (line.size() >= LONGEST_LINE && (startsCharacter || line.size() >= LONGEST_LINE + 4)) {
                        passOn();
                    }
                    line.write(next);
                }
            }
        }

        void endLine() {
            if (line.size() > 0) {
                passOn();
            }
        }

        private void passOn() {
            String text = line.toString(StandardCharsets.UTF_8);
            line.reset();
            sink.accept(stream, text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
        }
    }

    /** Creates a tail that begins with the first line. */
    public OutputTail(RunFiles files, BiConsumer<LogStream, String> sink) {
        this.files = files;
        this.sink = sink;
        this.stdout = new Tail(files.stdout(), LogStream.STDOUT);
        this.stderr = new Tail(files.stderr(), LogStream.STDERR);
    }

    /** Saves from now on how far it has come, for the attempt that takes the run over. */
    public void savePosition() {
        savesPosition = true;
    }

    /** Continues where an earlier attempt stopped. */
    public void resume() throws IOException {
        savesPosition = true;
        if (Files.exists(files.logged())) {
            String[] positions = Files.readString(files.logged()).strip().split(" ", -1);
            try {
                stdout.resume(Long.parseLong(positions[0]));
                stderr.resume(Long.parseLong(positions[positions.length - 1]));
            } catch (NumberFormatException e) {
                throw new IOException("the file " + files.logged() + " is damaged", e);
            }
        }
    }

    /** Passes on the lines that are complete. */
    public void poll() throws IOException {
        long before = stdout.position() + stderr.position();
        stdout.poll();
        stderr.poll();
        if (savesPosition && stdout.position() + stderr.position() != before) {
            Files.writeString(files.logged(), stdout.position() + " " + stderr.position());
        }
    }

    /** Passes on the rest. Call this after the processes have ended. */
    public void finish() throws IOException {
        poll();
        stdout.endLine();
        stderr.endLine();
    }
}
