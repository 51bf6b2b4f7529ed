package dev.heddle.cli.trust;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/**
 * Tells whether git tracks a file. Reads the index itself, because git runs programs that a repository configures, and
 * because starting it would take longer than most commands. An index that cannot be understood tracks everything.
 */
final class GitIndex {

    private static final byte[] SIGNATURE = "DIRC".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SPLIT = "link".getBytes(StandardCharsets.US_ASCII);
    private static final int STAT_BYTES = 40;
    private static final int SHA1_BYTES = 20;
    private static final int SHA256_BYTES = 32;
    private static final int EXTENDED = 0x4000;
    private static final int PREFIX_COMPRESSED = 4;

    private final ByteBuffer index;
    private final int hashBytes;

    private GitIndex(ByteBuffer index, int hashBytes) {
        this.index = index;
        this.hashBytes = hashBytes;
    }

    /** Returns whether a repository around this file or directory tracks it, or anything in it. */
    static boolean tracks(Path path) throws IOException {
        Path parent = Objects.requireNonNullElse(path.toAbsolutePath().getParent(), path).toRealPath();
        return isTracked(parent.resolve(Objects.requireNonNullElse(path.getFileName(), path)))
                || isTracked(path.toRealPath());
    }

    private static boolean isTracked(Path path) throws IOException {
        for (Path root = path.getParent(); root != null; root = root.getParent()) {
            Path git = root.resolve(".git");
            if (Files.exists(git) && tracks(directory(git), root.relativize(path))) {
                return true;
            }
        }
        return false;
    }

    /** Returns where a repository keeps its index: a worktree and a submodule have a file that names the directory. */
    private static Path directory(Path git) throws IOException {
        return Files.isDirectory(git) ? git
                : git.resolveSibling(Files.readString(git).strip().replaceFirst("^gitdir:\\s*", ""));
    }

    private static boolean tracks(Path git, Path path) throws IOException {
        Path file = git.resolve("index");
        if (!Files.exists(file)) {
            return false;
        }
        try {
            int hash = usesSha256(git) ? SHA256_BYTES : SHA1_BYTES;
            return new GitIndex(ByteBuffer.wrap(Files.readAllBytes(file)), hash).contains(normal(path.toString()));
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return true;
        }
    }

    private static boolean usesSha256(Path git) throws IOException {
        Path common = git.resolve("commondir");
        Path config = (Files.exists(common) ? git.resolve(Files.readString(common).strip()) : git).resolve("config");
        return Files.exists(config) && Files.readString(config).toLowerCase(Locale.ROOT)
                .matches("(?s).*objectformat\\s*=\\s*\"?sha256.*");
    }

    /** Some file systems ignore case and compose letters, and git may track another spelling of the same file. */
    private static String normal(String path) {
        return Normalizer.normalize(path, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
    }

    private boolean contains(String wanted) {
        if (!Arrays.equals(bytes(SIGNATURE.length), SIGNATURE)) {
            return true;
        }
        int version = index.getInt();
        int entries = index.getInt();
        byte[] name = {};
        for (int i = 0; i < entries; i++) {
            int start = index.position();
            index.position(start + STAT_BYTES + hashBytes);
            if ((index.getShort() & EXTENDED) != 0) {
                index.getShort();
            }
            name = version == PREFIX_COMPRESSED ? suffixed(name) : bytes(untilZero());
            if (matches(normal(new String(name, StandardCharsets.UTF_8)), wanted)) {
                return true;
            }
            // Entries are padded with one to eight zeros, except where names are compressed.
            index.position(version == PREFIX_COMPRESSED ? index.position() + 1
                    : index.position() + 8 - (index.position() - start) % 8);
        }
        return isSplit();
    }

    private static boolean matches(String tracked, String wanted) {
        return tracked.equals(wanted) || tracked.startsWith(wanted + "/")
                || (tracked.endsWith("/") && wanted.startsWith(tracked));
    }

    /** Returns the previous name without some of its end, and with a new one. */
    private byte[] suffixed(byte[] previous) {
        int dropped = index.get() & 0xff;
        int length = dropped & 0x7f;
        while ((dropped & 0x80) != 0) {
            dropped = index.get() & 0xff;
            length = ((length + 1) << 7) | (dropped & 0x7f);
        }
        int kept = previous.length - length;
        byte[] end = bytes(untilZero());
        byte[] name = Arrays.copyOf(previous, kept + end.length);
        System.arraycopy(end, 0, name, kept, end.length);
        return name;
    }

    private int untilZero() {
        int length = 0;
        while (index.get(index.position() + length) != 0) {
            length++;
        }
        return length;
    }

    private byte[] bytes(int count) {
        byte[] read = new byte[count];
        index.get(read);
        return read;
    }

    /** Returns whether the rest of the entries is in another file. */
    private boolean isSplit() {
        while (index.remaining() > hashBytes) {
            if (Arrays.equals(bytes(SPLIT.length), SPLIT)) {
                return true;
            }
            int length = index.getInt();
            index.position(index.position() + length);
        }
        return false;
    }
}
