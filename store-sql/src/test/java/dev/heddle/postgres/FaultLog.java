package dev.heddle.postgres;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;

/**
 * The log of all nodes of a {@link FaultTest}, in one file. Each line is one write to the end of the file: the lines
 * of all processes are in the order of the events, and a kill loses no line.
 */
final class FaultLog implements AutoCloseable {

    /** The kinds of events. */
    enum Kind {
        /** A submit returned; the detail is the type. */
        ACK,
        /** A handler starts; the detail is the type. */
        START,
        /** The body of a step runs; the detail is its name. */
        RUN,
        /** A step has returned, so it is committed; the detail is its name. */
        DONE,
        /** A handler is about to return its result. */
        RESULT,
        /** A handler ends, with or without an exception. */
        END
    }

    /**
     * A line.
     *
     * @param attempt 0 for an event without an attempt
     * @param node the first name of the node, which may have another one in the store later
     */
    record Line(Kind kind, String job, int attempt, String node, String detail) {

        static Line parse(String text) {
            String[] words = text.split(" ", -1);
            return new Line(Kind.valueOf(words[0].toUpperCase(Locale.ROOT)), words[1], Integer.parseInt(words[2]),
                    words[3], words[4]);
        }

        @Override
        public String toString() {
            return "%s %s %d %s %s".formatted(kind.name().toLowerCase(Locale.ROOT), job, attempt, node, detail);
        }
    }

    private final OutputStream file;

    private FaultLog(OutputStream file) {
        this.file = file;
    }

    static FaultLog open(Path path) throws IOException {
        return new FaultLog(Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    }

    static List<Line> read(Path path) throws IOException {
        return Files.readAllLines(path).stream().map(Line::parse).toList();
    }

    void write(Line line) {
        try {
            synchronized (file) {
                file.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
