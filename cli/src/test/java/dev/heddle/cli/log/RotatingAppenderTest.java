package dev.heddle.cli.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.Appender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The log files of nodes and workers: how large they get, and how they are read. */
class RotatingAppenderTest {

    private static final int MAX = 1_000;

    @TempDir
    private Path directory;
    private final LoggerContext context = new LoggerContext();

    @BeforeEach
    void start() {
        context.setMDCAdapter(new LogbackMDCAdapter());
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private Path file() {
        return directory.resolve("logs/node.log");
    }

    private RotatingAppender open() {
        LineLayout layout = new LineLayout("HH:mm:ss", false);
        layout.setContext(context);
        layout.start();
        RotatingAppender appender = new RotatingAppender(file(), layout, MAX, 4);
        appender.setContext(context);
        appender.start();
        return appender;
    }

    private void log(Appender<ILoggingEvent> appender, String message) {
        appender.doAppend(new LoggingEvent("", context.getLogger("test"), Level.INFO, message, null, null));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(file().getParent())) {
            return all.toList();
        }
    }

    private String read(long offset) throws IOException {
        StringBuilder text = new StringBuilder();
        long next = offset;
        while (true) {
            RotatedLog.Part part = new RotatedLog(file()).read(next, 64);
            if (part.bytes().length == 0) {
                return text.toString();
            }
            text.append(new String(part.bytes(), StandardCharsets.UTF_8));
            next = part.offset() + part.bytes().length;
        }
    }

    @Test
    void noFileIsEverLargerThanItsLimit() throws IOException {
        RotatingAppender appender = open();
        for (int i = 0; i < 500; i++) {
            log(appender, "event " + i + " " + "x".repeat(i % 120));
            assertThat(files()).hasSizeLessThanOrEqualTo(5)
                    .allSatisfy(file -> assertThat(Files.size(file)).isLessThanOrEqualTo(MAX));
        }
        log(appender, "y".repeat(5 * MAX));
        assertThat(file()).hasSize(MAX);
        appender.stop();

        assertThat(files()).hasSize(5);
        assertThat(read(0)).contains(" event 498 ", " event 499 ").endsWith("y".repeat(900));
    }

    @Test
    void aReaderThatFollowsMissesNothing() throws IOException {
        RotatingAppender appender = open();
        StringBuilder seen = new StringBuilder();
        long next = 0;
        for (int i = 0; i < 100; i++) {
            log(appender, "event " + i + ".");
            if (i % 7 == 0) {
                for (RotatedLog.Part part = new RotatedLog(file()).read(next, 100); part
                        .bytes().length > 0; part = new RotatedLog(
                                file()).read(next, 100)) {
                    assertThat(part.offset()).isEqualTo(next);
                    seen.append(new String(part.bytes(), StandardCharsets.UTF_8));
                    next += part.bytes().length;
                }
            }
            if (i == 50) {
                appender.stop();
                appender = open();
            }
        }
        appender.stop();
        seen.append(read(next));

        assertThat(seen.toString().lines().map(line -> line.replaceAll(".* (event \\d+)\\.", "$1")))
                .containsExactlyElementsOf(Stream.iterate(0, i -> i + 1).limit(100).map(i -> "event " + i).toList());
    }

    @Test
    void beginsAgainIfTheLogWasDeleted() throws IOException {
        RotatingAppender appender = open();
        log(appender, "first");
        appender.stop();
        Files.delete(file());
        assertThat(new RotatedLog(file()).read(500, 10).offset()).isZero();
        appender = open();
        log(appender, "second");
        appender.stop();

        assertThat(read(500)).contains("second");
    }
}
