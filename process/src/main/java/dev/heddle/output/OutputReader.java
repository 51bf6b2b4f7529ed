package dev.heddle.output;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads output files in pieces, however long their lines are. A missing file reads as empty. */
public final class OutputReader {

    private OutputReader() {}

    /** Reads up to a number of bytes at an offset; none if the file ends before it. */
    public static byte[] read(Path file, long offset, int maxBytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return CappedFile.read(channel, offset, maxBytes);
        } catch (NoSuchFileException e) {
            return new byte[0];
        }
    }

    /** Returns the number of bytes in a file. */
    public static long size(Path file) throws IOException {
        return Files.exists(file) ? Files.size(file) : 0;
    }

    /**
     * Returns the last bytes of a file as text that starts with a whole character. NUL is replaced, because not every
     * store can keep it.
     */
    public static String tail(Path file, int maxBytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long from = Math.max(0, channel.size() - maxBytes);
            byte[] bytes = CappedFile.read(channel, from, maxBytes);
            int start = 0;
            while (from > 0 && start < Math.min(4, bytes.length) && (bytes[start] & 0xC0) == 0x80) {
                start++;
            }
            return new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8).replace('\0', '\uFFFD');
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    /** Returns the last line that is not blank within the last bytes of a file; empty if there is none. */
    public static String lastLine(Path file, int maxBytes) throws IOException {
        return tail(file, maxBytes).lines().filter(line -> !line.isBlank()).reduce((_, later) -> later)
                .map(String::strip).orElse("");
    }
}
