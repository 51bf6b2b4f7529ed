package dev.heddle.output;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads output files piece by piece, however long their lines are. */
public final class OutputReader {

    private OutputReader() {}

    /** At most so many bytes from there on; none where there is nothing yet, or no file. */
    public static byte[] read(Path file, long offset, int most) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return OutputFile.read(channel, offset, most);
        } catch (NoSuchFileException e) {
            return new byte[0];
        }
    }

    /** The last bytes of the file as text, beginning with a whole character; without NUL, which not every store keeps. */
    public static String tail(Path file, int most) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long from = Math.max(0, channel.size() - most);
            byte[] bytes = OutputFile.read(channel, from, most);
            int start = 0;
            while (from > 0 && start < Math.min(4, bytes.length) && (bytes[start] & 0xC0) == 0x80) {
                start++;
            }
            return new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8)
                    .replace('\0', '\uFFFD');
        } catch (NoSuchFileException e) {
            return "";
        }
    }
}
