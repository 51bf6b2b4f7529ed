package dev.heddle.cli.shell;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TableTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private CliOutput output(Terminal terminal) {
        return new CliOutput(new PrintWriter(out, true), new PrintWriter(err, true), terminal);
    }

    private record Row(String name, int count, String text) {}

    private static final List<Row> ROWS = List.of(new Row("a", 5, "short"),
            new Row("bbbb", 1_000, "a text that is too long for a line of this width"));

    private static Table<Row> table() {
        return new Table<Row>().column("NAME", Row::name, row -> Style.GREEN)
                .number("COUNT", row -> String.valueOf(row.count)).elastic("TEXT", Row::text);
    }

    @Test
    void alignsColumnsAndCutsNothingWithoutATerminal() {
        table().print(output(Terminal.NONE), ROWS);
        assertThat(out.toString()).isEqualToNormalizingNewlines("""
                NAME  COUNT  TEXT
                a         5  short
                bbbb   1000  a text that is too long for a line of this width
                """);
    }

    @Test
    void fitsTheWidthOfTheTerminal() {
        table().print(output(new Terminal(true, true, false, 40)), ROWS);
        assertThat(out.toString().lines()).allMatch(line -> line.length() <= 40).last()
                .isEqualTo("bbbb   1000  a text that is too long fo…");
    }

    @Test
    void cutsNoCharacterInHalfAndCountsWideOnesTwice() {
        List<Row> rows = List.of(new Row("注文", 1, "x".repeat(22) + "📦📦"), new Row("b", 1, "short"));
        table().print(output(new Terminal(true, true, false, 38)), rows);
        assertThat(out.toString().lines()).containsExactly("NAME  COUNT  TEXT",
                "注文      1  " + "x".repeat(22) + "📦…", "b         1  short");
    }

    @Test
    void printsNoTitlesIfToldSo() {
        table().headers(false).print(output(Terminal.NONE), ROWS.subList(0, 1));
        assertThat(out.toString()).isEqualToNormalizingNewlines("a  5  short\n");
    }

    @Test
    void keepsColumnsAlignedWithColor() {
        table().print(output(new Terminal(true, true, true, 80)), ROWS.subList(0, 1));
        assertThat(out.toString().lines().skip(1)).containsExactly("\u001b[32ma\u001b[0m         5  short");
    }

    @Test
    void replacesControlCharacters() {
        table().print(output(Terminal.NONE), List.of(new Row("\u001b[2J", 1, "a\nb")));
        assertThat(out.toString().lines().skip(1)).containsExactly("?[2J      1  a b");
    }

    @Test
    void showsProgressAfterASecondAndErasesIt() {
        AtomicLong nanos = new AtomicLong();
        try (ProgressLine line = new ProgressLine(output(new Terminal(true, true, false, 80)), nanos::get)) {
            line.show(1, 4, "early");
            assertThat(err.toString()).isEmpty();
            nanos.set(1_100_000_000L);
            line.show(1, 4, "of four");
            line.show(2, 4, "too soon after");
            assertThat(err.toString()).isEqualTo("\r\u001b[K██████░░░░░░░░░░░░░░░░░░ 25% of four");
        }
        assertThat(err.toString()).endsWith("\r\u001b[K");
    }

    @Test
    void showsNoProgressWithoutATerminal() {
        AtomicLong nanos = new AtomicLong();
        try (ProgressLine line = new ProgressLine(output(Terminal.NONE), nanos::get)) {
            nanos.set(5_000_000_000L);
            line.show(1, 4, "of four");
        }
        assertThat(err.toString()).isEmpty();
    }
}
