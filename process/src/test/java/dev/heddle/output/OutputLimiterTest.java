package dev.heddle.output;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import dev.heddle.job.JobId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class OutputLimiterTest {

    private static final int MB = 1 << 20;

    @TempDir
    Path home;
    private RunFiles files;

    @BeforeEach
    void create() throws IOException {
        files = new RunFiles(home, JobId.next(), 1);
        files.markStarted();
    }

    private static void append(Path file, byte[] bytes) throws IOException {
        Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static byte[] filled(char with, int size) {
        return String.valueOf(with).repeat(size).getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void doesNotChangeOutputWithinTheLimit() throws IOException {
        OutputLimiter limiter = new OutputLimiter(files, 10);
        append(files.stdout(), filled('a', 6));
        append(files.stderr(), filled('b', 4));
        assertThat(limiter.enforce()).isTrue();
        assertThat(limiter.enforce()).as("nothing new").isFalse();
        assertThat(limiter.finish()).isFalse();
        assertThat(files.stdout()).hasContent("aaaaaa");
        assertThat(files.stderr()).hasContent("bbbb");
    }

    @Test
    void keepsTheBeginningAndTheEndAndMarksTheGap() throws IOException {
        OutputLimiter limiter = new OutputLimiter(files, 2 * MB);
        append(files.stdout(), filled('a', 2 * MB));
        append(files.stdout(), filled('b', MB));
        append(files.stdout(), filled('c', MB / 2));
        limiter.enforce();
        assertThat(limiter.finish()).isTrue();
        String marker = "\n[heddle: output limit of 2097152 bytes exceeded; about 524288 bytes are left out here]\n";
        assertThat(Files.readString(files.stdout()))
                .isEqualTo("a".repeat(2 * MB) + marker + "b".repeat(MB / 2) + "c".repeat(MB / 2));
    }

    @Test
    void isNeverLargerWhileAProcessAppendsThanAtTheEnd() throws IOException {
        OutputLimiter limiter = new OutputLimiter(files, MB);
        long largest = 0;
        try (OutputStream process = Files.newOutputStream(files.stderr(), StandardOpenOption.CREATE,
                StandardOpenOption.APPEND)) {
            for (int i = 0; i < 100; i++) {
                process.write(filled((char) ('a' + i % 26), MB));
                limiter.enforce();
                largest = Math.max(largest, Files.size(files.stderr()));
            }
            process.write("the very end".getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(largest).isLessThanOrEqualTo(2L * MB);
        assertThat(limiter.finish()).isTrue();
        String text = Files.readString(files.stderr());
        assertThat(text).startsWith("a".repeat(MB)).endsWith("the very end");
        long leftOut = 99L * MB + 12 - MB;
        assertThat(text).contains("; about " + leftOut + " bytes are left out here]").hasSizeLessThan(3 * MB);
    }

    @Test
    void givesEachStreamWhatTheOtherLeavesUnused() throws IOException {
        OutputLimiter limiter = new OutputLimiter(files, 4 * MB);
        append(files.stdout(), filled('a', 30 * MB));
        append(files.stderr(), filled('b', MB));
        limiter.finish();
        assertThat(Files.readString(files.stdout())).startsWith("a".repeat(3 * MB) + "\n[heddle:");
        assertThat(files.stderr()).hasSize(MB);
    }

    @Test
    void readsAVeryLongLineInPieces() throws IOException {
        append(files.stdout(), filled('x', 20 * MB));
        append(files.stdout(), "\nend\n".getBytes(StandardCharsets.US_ASCII));
        long offset = 0;
        int pieces = 0;
        for (byte[] piece = OutputReader.read(files.stdout(), 0, 64 << 10); piece.length > 0; piece = OutputReader
                .read(files.stdout(), offset, 64 << 10)) {
            assertThat(piece.length).isLessThanOrEqualTo(64 << 10);
            offset += piece.length;
            pieces++;
        }
        assertThat(offset).isEqualTo(20L * MB + 5);
        assertThat(pieces).isEqualTo(321);
        assertThat(OutputReader.read(files.stdout(), offset + 100, 10)).isEmpty();
        assertThat(OutputReader.read(home.resolve("missing"), 0, 10)).isEmpty();
    }

    @Test
    void aTailStartsWithAWholeCharacter() throws IOException {
        append(files.stdout(), "grün\0".getBytes(StandardCharsets.UTF_8));
        assertThat(OutputReader.tail(files.stdout(), 100)).isEqualTo("grün\uFFFD");
        assertThat(OutputReader.tail(files.stdout(), 3)).isEqualTo("n\uFFFD");
        assertThat(OutputReader.tail(files.stderr(), 3)).isEmpty();
    }

    @Test
    void deletesAllFilesOfAnAttempt() throws IOException {
        append(files.stdout(), filled('x', 1));
        Files.createDirectories(files.artifacts().resolve("a/b"));
        RunFiles other = new RunFiles(home, files.job(), 2);
        other.markStarted();
        files.delete();
        files.delete();
        assertThat(files.directory()).doesNotExist();
        assertThat(other.directory()).exists();
        other.delete();
        assertThat(home.resolve("runs")).isEmptyDirectory();
        assertThat(home.resolve("artifacts")).isEmptyDirectory();
    }
}
