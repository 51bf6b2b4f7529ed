package dev.heddle.agent;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
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
import dev.heddle.conversation.ConversationBuilder;
import dev.heddle.conversation.Prices;
import dev.heddle.conversation.RunningTotals;

/**
 * Everything an agent printed in one run, unchanged. The agent appends to {@link #file()} itself, so nothing is lost if
 * the node dies; once the agent has ended, the file is compressed. The transcript is the source of truth: everything
 * else that is known about a run is derived from it, and derived again when an adapter learns to parse more.
 *
 * @param file where the agent writes; after compression the same name with {@code .gz}
 */
record Transcript(Path file) {

    private static final int BUFFER = 64 * 1024;

    private Path compressedFile() {
        return file.resolveSibling(file.getFileName() + ".gz");
    }

    /** A compressed transcript is complete. */
    boolean isCompressed() {
        return Files.exists(compressedFile());
    }

    /** Compresses the file. Can be repeated, also after a crash in the middle. */
    void compress() throws IOException {
        if (!isCompressed()) {
            Path part = file.resolveSibling(file.getFileName() + ".gz.part");
            try (FileChannel channel = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
                GZIPOutputStream out = new GZIPOutputStream(
                        new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER), BUFFER);
                Files.copy(file, out);
                out.finish();
                out.flush();
                channel.force(true);
            }
            Files.move(part, compressedFile(), StandardCopyOption.ATOMIC_MOVE);
        }
        Files.deleteIfExists(file);
    }

    /** Opens the transcript at an offset; an empty stream if the file does not exist yet. */
    InputStream open(long offset) throws IOException {
        if (!isCompressed()) {
            try {
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                return Channels.newInputStream(channel.position(offset));
            } catch (NoSuchFileException e) {
                if (!isCompressed()) {
                    return InputStream.nullInputStream();
                }
                // It was compressed between the check and the opening.
            }
        }
        InputStream in = new GZIPInputStream(Files.newInputStream(compressedFile()), BUFFER);
        in.skipNBytes(offset);
        return in;
    }

    /** Reads the whole conversation so far. */
    Conversation read(Adapter adapter, RunningTotals totals, Prices prices) throws IOException {
        ConversationBuilder builder = new ConversationBuilder(totals);
        new TranscriptTail(this, adapter.parser()).drain(builder::add);
        return builder.build(prices);
    }
}
