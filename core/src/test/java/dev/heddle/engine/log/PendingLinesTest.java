package dev.heddle.engine.log;

import java.time.Instant;
import java.util.List;

import dev.heddle.engine.log.PendingLines.Piece;
import dev.heddle.log.LogLine;
import dev.heddle.log.LogStream;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

import static org.assertj.core.api.Assertions.assertThat;

class PendingLinesTest {

    private static LogLine line(long number, String text) {
        return new LogLine(1, number, Instant.EPOCH, Level.INFO, LogStream.LOG, text);
    }

    private static List<Long> numbers(Piece piece) {
        return piece.lines().stream().map(LogLine::number).toList();
    }

    @Test
    void takesFewLinesAsOnePiece() {
        PendingLines lines = new PendingLines(false);
        assertThat(lines.isEmpty()).isTrue();
        assertThat(lines.add(line(1, "ab"))).isEqualTo(18);
        assertThat(lines.add(line(2, "ü€😀"))).as("in UTF-8").isEqualTo(16 + 2 + 3 + 4);

        assertThat(lines.take()).singleElement().satisfies(piece -> {
            assertThat(numbers(piece)).containsExactly(1L, 2L);
            assertThat(piece.bytes()).isEqualTo(18 + 25);
            assertThat(piece.tail()).isFalse();
        });
        assertThat(lines.isEmpty()).isTrue();
        assertThat(lines.bytes()).isZero();
        assertThat(lines.take()).isEmpty();
    }

    @Test
    void cutsPiecesToSize() {
        PendingLines lines = new PendingLines(false);
        String text = "x".repeat(1_000 - 16);
        for (int i = 1; i <= 200; i++) {
            lines.add(line(i, text));
        }
        List<Piece> pieces = lines.take();
        assertThat(pieces).hasSize(4).allSatisfy(piece -> assertThat(piece.bytes()).isLessThanOrEqualTo(64 << 10));
        assertThat(pieces.stream().flatMap(piece -> piece.lines().stream()).map(LogLine::number))
                .isSorted().hasSize(200);
    }

    @Test
    void keepsTheFirstAndTheLastLinesOfAFlood() {
        PendingLines lines = new PendingLines(false);
        String text = "x".repeat(1_024 - 16);
        long bytes = 0;
        for (int i = 1; i <= 5_000; i++) {
            bytes += lines.add(line(i, text));
        }
        assertThat(bytes).isEqualTo(lines.bytes()).isEqualTo(1 << 20);
        List<Piece> pieces = lines.take();
        assertThat(pieces.stream().filter(piece -> !piece.tail()).flatMap(piece -> piece.lines().stream())
                .map(LogLine::number)).hasSize(512).startsWith(1L).endsWith(512L);
        assertThat(pieces.stream().filter(Piece::tail).flatMap(piece -> piece.lines().stream()).map(LogLine::number))
                .hasSize(512).startsWith(4_489L).endsWith(5_000L);
    }

    @Test
    void theHeadIsOnlyTheBeginning() {
        PendingLines lines = new PendingLines(false);
        lines.add(line(1, "x".repeat(PendingLines.HALF - 100)));
        lines.take();
        lines.add(line(2, "x".repeat(200)));
        lines.add(line(3, ""));
        assertThat(lines.take()).singleElement().satisfies(piece -> assertThat(piece.tail()).isTrue());
    }

    @Test
    void anAttemptThatGoesOnElsewhereHasItsHead() {
        PendingLines lines = new PendingLines(true);
        lines.add(line(1, "x"));
        assertThat(lines.take()).singleElement().satisfies(piece -> assertThat(piece.tail()).isTrue());
    }
}
