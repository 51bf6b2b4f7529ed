package dev.heddle;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import dev.heddle.job.JobContext;

/** What handlers of several processes have done, in one file. Each line is one write, so a kill loses no line. */
final class AttemptLog implements AutoCloseable {

    /**
     * A line.
     *
     * @param micros the time by the clock of the machine
     */
    record Line(boolean start, String job, int attempt, String key, long micros) {

        static Line parse(String text) {
            String[] words = text.split(" ", -1);
            return new Line(words[0].equals("start"), words[1], Integer.parseInt(words[2]), words[3],
                    Long.parseLong(words[4]));
        }

        String attemptId() {
            return job + " " + attempt;
        }

        @Override
        public String toString() {
            return "%s %s %d %s %d%n".formatted(start ? "start" : "end", job, attempt, key, micros);
        }
    }

    private final OutputStream file;

    private AttemptLog(OutputStream file) {
        this.file = file;
    }

    static AttemptLog open(Path path) throws IOException {
        return new AttemptLog(Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    }

    static List<Line> read(Path path) throws IOException {
        return Files.readAllLines(path).stream().map(Line::parse).toList();
    }

    void write(boolean start, JobContext job, String key) throws IOException {
        synchronized (file) {
            file.write(new Line(start, job.spec().id().toString(), job.attempt(), key,
                    ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())).toString()
                    .getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
