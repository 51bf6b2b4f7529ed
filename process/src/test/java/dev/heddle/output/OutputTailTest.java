package dev.heddle.output;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.job.JobId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class OutputTailTest {

    @TempDir
    private Path home;

    private final List<String> lines = new ArrayList<>();
    private RunFiles files = new RunFiles(Path.of(""), JobId.next(), 1);

    @BeforeEach
    void start() throws IOException {
        files = new RunFiles(home, JobId.next(), 1);
        files.markStarted();
    }

    private OutputTail tail() {
        return new OutputTail(files, (stream, line) -> lines.add(stream + " " + line));
    }

    private static void append(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void passesOnLinesOnceTheyAreComplete() throws IOException {
        OutputTail tail = tail();
        tail.poll();
        append(files.stdout(), "one\r\ntw");
        tail.poll();
        assertThat(lines).containsExactly("STDOUT one");
        append(files.stdout(), "o\n\nü");
        append(files.stderr(), "oops\n");
        tail.poll();
        assertThat(lines).containsExactly("STDOUT one", "STDOUT two", "STDOUT ", "STDERR oops");
        tail.finish();
        assertThat(lines).endsWith("STDOUT ü").hasSize(5);
        tail.finish();
        assertThat(lines).hasSize(5);
    }

    @Test
    void cutsLongLinesBetweenCharacters() throws IOException {
        append(files.stdout(), "x".repeat(20_000) + "\n" + "€".repeat(20_000) + "\n");
        tail().finish();
        assertThat(String.join("", lines).replace("STDOUT ", "")).isEqualTo("x".repeat(20_000) + "€".repeat(20_000));
        assertThat(lines).allSatisfy(line -> assertThat(line.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(16_400));
    }

    @Test
    void skipsWhatIsTooMuch() throws IOException {
        append(files.stdout(), "first\n");
        OutputTail tail = tail();
        tail.poll();
        append(files.stdout(), "x\n".repeat(2 << 20) + "last\n");
        tail.finish();
        assertThat(lines).startsWith("STDOUT first").endsWith("STDOUT last")
                .contains("STDOUT … 3145733 bytes left out here");
        assertThat(lines).hasSizeLessThan((1 << 20) / 2 + 10);
    }

    @Test
    void goesOnAfterTheOutputLimitHasCutTheFile() throws IOException {
        append(files.stdout(), "a long line that goes\n");
        OutputTail tail = tail();
        tail.poll();
        Files.writeString(files.stdout(), "a long\n");
        tail.poll();
        append(files.stdout(), "next\n");
        tail.finish();
        assertThat(lines).containsExactly("STDOUT a long line that goes", "STDOUT next");
    }

    @Test
    void continuesARunWhereItsNodeLeftOff() throws IOException {
        OutputTail first = tail();
        first.savePosition();
        append(files.stdout(), "one\ntw");
        append(files.stderr(), "oops\n");
        first.poll();
        // The node is gone. An agent's readable output is then written again from its transcript.
        Files.delete(files.stdout());
        append(files.stdout(), "on");
        OutputTail second = tail();
        second.resume();
        second.poll();
        append(files.stdout(), "e\ntwo\n");
        second.finish();
        assertThat(lines).containsExactly("STDOUT one", "STDERR oops", "STDOUT two");
    }
}
