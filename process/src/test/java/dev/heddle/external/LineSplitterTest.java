package dev.heddle.external;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LineSplitterTest {

    private final List<OutputLine> lines = new ArrayList<>();
    private final LineSplitter splitter = new LineSplitter(10, lines::add);

    private void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        splitter.write(bytes, 0, bytes.length);
    }

    @Test
    void splitsBytesIntoLinesHoweverTheyArrive() {
        write("one\ntwo\n\nthr");
        write("ee");
        assertThat(lines).containsExactly(new OutputLine.Text("one"), new OutputLine.Text("two"),
                new OutputLine.Text(""));
        write("\n");
        for (byte b : "ü\n".getBytes(StandardCharsets.UTF_8)) {
            splitter.write(b);
        }
        assertThat(lines).endsWith(new OutputLine.Text("three"), new OutputLine.Text("ü"));
    }

    @Test
    void deliversAnUnfinishedLineWhenClosed() {
        write("one\nhalf");
        splitter.close();
        assertThat(lines).containsExactly(new OutputLine.Text("one"), new OutputLine.Text("half"));
        splitter.close();
        assertThat(lines).hasSize(2);
    }

    @Test
    void dropsAnOverlongLineAndContinues() {
        write("1234567890\n");
        write("12345678901\n");
        write("123456");
        write("7890123456");
        write("789\nnext\n");
        assertThat(lines).containsExactly(new OutputLine.Text("1234567890"), new OutputLine.TooLong("12345678901", 11),
                new OutputLine.TooLong("1234567890123456", 19), new OutputLine.Text("next"));
    }

    @Test
    void keepsOnlyTheStartOfAHugeLine() {
        List<OutputLine> found = new ArrayList<>();
        LineSplitter big = new LineSplitter(Protocol.MAX_LINE_BYTES, found::add);
        byte[] piece = new byte[64 * 1024];
        for (int i = 0; i < 320; i++) {
            big.write(piece, 0, piece.length);
        }
        big.write('\n');
        assertThat(found).singleElement().satisfies(line -> {
            assertThat(line).isInstanceOf(OutputLine.TooLong.class);
            assertThat(((OutputLine.TooLong) line).bytes()).isEqualTo(20 << 20);
            assertThat(((OutputLine.TooLong) line).start()).hasSizeLessThanOrEqualTo(200);
        });
    }
}
