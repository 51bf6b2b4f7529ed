package dev.heddle.cli.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.heddle.output.OutputReader;

/**
 * A log in several files: the one that is written, and older ones. The name of an older file says at which byte of the
 * whole log it begins, such as {@code node.log.from-10485760}. So a reader that follows the log misses nothing when the
 * file is rotated.
 *
 * @param file the file that is written
 */
public record RotatedLog(Path file) {

    private static final String INFIX = ".from-";
    private static final int MAX_TRIES = 10;

    /**
     * A part of the log.
     *
     * @param offset where it begins, in bytes since the log began
     * @param bytes the content
     */
    // The bytes are compared nowhere.
    @SuppressWarnings("ArrayRecordComponent")
    public record Part(long offset, byte[] bytes) {}

    private record Piece(long start, Path path, long size) {
        long end() {
            return start + size;
        }
    }

    /** Returns whether there is such a log. */
    public boolean exists() {
        return Files.isRegularFile(file);
    }

    /**
     * Reads up to a number of bytes at an offset. If that part of the log was deleted, or the log was and is shorter
     * now, this begins with the oldest part there is.
     */
    public Part read(long offset, int maxBytes) throws IOException {
        for (int tries = 1;; tries++) {
            List<Piece> old = old();
            Part part = read(old, offset, maxBytes);
            if (tries == MAX_TRIES || old().equals(old)) {
                return part;
            }
            // The file was rotated meanwhile.
        }
    }

    private Part read(List<Piece> old, long offset, int maxBytes) throws IOException {
        List<Piece> all = new ArrayList<>(old);
        all.add(new Piece(end(old), file, size(file)));
        long from = offset < all.getFirst().start() || offset > all.getLast().end() ? all.getFirst().start() : offset;
        for (Piece piece : all) {
            if (from >= piece.start && from < piece.end()) {
                int length = (int) Math.min(maxBytes, piece.end() - from);
                return new Part(from, OutputReader.read(piece.path, from - piece.start, length));
            }
        }
        return new Part(from, new byte[0]);
    }

    /**
     * Makes the file an old one, and deletes the oldest.
     *
     * @param kept how many old files to keep
     */
    void rotate(int kept) throws IOException {
        List<Piece> old = old();
        Files.move(file, Path.of(file + INFIX + end(old)));
        for (Piece tooOld : old.subList(0, Math.max(0, old.size() + 1 - kept))) {
            Files.deleteIfExists(tooOld.path);
        }
    }

    /** Returns the old files, the oldest first. */
    private List<Piece> old() throws IOException {
        String prefix = Objects.requireNonNull(file.getFileName()) + INFIX;
        List<Piece> pieces = new ArrayList<>();
        Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent());
        if (Files.isDirectory(directory)) {
            try (Stream<Path> paths = Files.list(directory)) {
                for (Path path : paths.toList()) {
                    String name = path.getFileName().toString();
                    if (name.startsWith(prefix) && name.substring(prefix.length()).matches("\\d{1,18}")) {
                        pieces.add(new Piece(Long.parseLong(name.substring(prefix.length())), path, size(path)));
                    }
                }
            }
        }
        pieces.sort(Comparator.comparingLong(Piece::start));
        return pieces;
    }

    private static long end(List<Piece> old) {
        return old.isEmpty() ? 0 : old.getLast().end();
    }

    private static long size(Path path) throws IOException {
        return OutputReader.size(path);
    }
}
