package dev.heddle.agent;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

import dev.heddle.conversation.Conversation;
import dev.heddle.conversation.Minutes;
import dev.heddle.conversation.Prices;
import dev.heddle.conversation.Tally;

/**
 * What an agent wrote in one run, as it came. The agent itself appends to {@link #file()}, so that no word is lost with
 * the node; once it has ended the file is compressed. Nothing is ever changed in it, and nothing is known about a run that
 * is not in it: whatever an adapter learns to understand later, it finds here.
 */
public record Transcript(Path file) {

    private static final int BUFFER = 64 * 1024;

    private Path packed() {
        return file.resolveSibling(file.getFileName() + ".gz");
    }

    /** Whether it is complete. */
    public boolean isCompressed() {
        return Files.exists(packed());
    }

    /** The agent has ended. May be said again, and after a crash in the middle of it. */
    public void compress() throws IOException {
        if (!isCompressed()) {
            Path part = file.resolveSibling(file.getFileName() + ".gz.part");
            try (FileChannel channel = FileChannel.open(part, StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
                OutputStream out = new GZIPOutputStream(
                        new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER),
                        BUFFER);
                Files.copy(file, out);
                out.flush();
                ((GZIPOutputStream) out).finish();
                out.flush();
                channel.force(true);
            }
            Files.move(part, packed(), StandardCopyOption.ATOMIC_MOVE);
        }
        Files.deleteIfExists(file);
    }

    /** What was written from there on. Nothing, where there is no file yet. */
    InputStream open(long from) throws IOException {
        if (!isCompressed()) {
            try {
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                return Channels.newInputStream(channel.position(from));
            } catch (NoSuchFileException e) {
                if (!isCompressed()) {
                    return InputStream.nullInputStream();
                }
                // It was compressed this moment.
            }
        }
        InputStream in = new GZIPInputStream(Files.newInputStream(packed()), BUFFER);
        in.skipNBytes(from);
        return in;
    }

    /** All of it, as far as it is written. */
    public Conversation read(Adapter adapter, Tally tally, Prices prices) throws IOException {
        Minutes minutes = new Minutes(tally);
        Tail tail = new Tail(this, adapter.reader());
        tail.rest(minutes::add);
        return minutes.close(prices);
    }
}
