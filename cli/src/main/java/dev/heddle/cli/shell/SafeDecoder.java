package dev.heddle.cli.shell;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

import dev.heddle.output.SafeText;

/** Turns the output of a program, as it arrives in pieces, into text that is safe to display. Not thread-safe. */
final class SafeDecoder {

    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE).onUnmappableCharacter(CodingErrorAction.REPLACE);
    /** The beginning of a character whose other bytes have not arrived. */
    private byte[] rest = new byte[0];
    /** Whether the last character was a carriage return, which is nothing but a part of a line break if one follows. */
    private boolean returned;

    String decode(byte[] bytes) {
        ByteBuffer input = ByteBuffer.allocate(rest.length + bytes.length).put(rest).put(bytes).flip();
        CharBuffer output = CharBuffer.allocate(input.remaining() + 1);
        decoder.decode(input, output, false);
        rest = new byte[input.remaining()];
        input.get(rest);
        String text = (returned ? "\r" : "") + output.flip();
        returned = text.endsWith("\r");
        return SafeText.of(returned ? text.substring(0, text.length() - 1) : text);
    }
}
