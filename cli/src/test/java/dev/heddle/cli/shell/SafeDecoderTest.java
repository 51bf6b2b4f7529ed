package dev.heddle.cli.shell;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Output that arrives in pieces of any size. */
class SafeDecoderTest {

    private static final String TEXT = "Grüße 👋\r\nnext\r10%\u009b6n\u001b[2J\n";

    @Test
    void readsTheSameWhereverItIsSplit() {
        byte[] bytes = TEXT.getBytes(StandardCharsets.UTF_8);
        String whole = new SafeDecoder().decode(bytes);
        assertThat(whole).isEqualTo("Grüße 👋\nnext\n10%?6n?[2J\n");

        SafeDecoder decoder = new SafeDecoder();
        StringBuilder pieces = new StringBuilder();
        IntStream.range(0, bytes.length).forEach(i -> pieces.append(decoder.decode(new byte[]{bytes[i]})));

        assertThat(pieces).hasToString(whole);
    }

    @Test
    void showsBytesThatAreNoText() {
        assertThat(new SafeDecoder().decode(new byte[]{'a', (byte) 0x9b, '6', 'n', 0, 'b'})).isEqualTo("a\ufffd6n?b");
    }
}
