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
 * What all nodes of a {@link FaultTest} saw, in one file. Each line is one write at the file's end, so that the lines
 * of all processes are in the order in which things happened, and no kill takes back a line.
 */
final class FaultLog implements AutoCloseable {

    /** What a line says. */
    enum Kind {
        /** A submit returned; the detail is the type. */
        ACK,
        /** A handler begins; the detail is the type. */
        START,
        /** The body of a step runs; the detail is its name. */
        RUN,
        /** A step has returned, so it is committed; the detail is its name. */
        DONE,
        /** A handler is about to return its result. */
        RESULT,
        /** A handler ends, in whatever way. */
        END
    }

    /**
     * A line.
     *
     * @param node the first name of the node, which it keeps whatever it is called in the store later
     * @param attempt 0 where there is none
     */
    record Line(Kind kind, String job, int attempt, String node, String detail) {

        static Line parse(String text) {
            String[] words = text.split(" ", -1);
            return new Line(Kind.valueOf(words[0].toUpperCase(Locale.ROOT)), words[1],
                    Integer.parseInt(words[2]),
                    words[3], words[4]);
        }

        @Override
        public String toString() {
            return "%s %s %d %s %s".formatted(kind.name().toLowerCase(Locale.ROOT), job, attempt, node,
                    detail);
        }
    }

    private final OutputStream file;

    private FaultLog(OutputStream file) {
        this.file = file;
    }

    static FaultLog open(Path path) throws IOException {
        return new FaultLog(
                Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
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
