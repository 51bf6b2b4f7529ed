package dev.heddle.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** What {@link Files} lacks. */
final class Directories {

    private Directories() {}

    /** Deletes it with all that is in it, and says so where that cannot be. */
    static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            System.err.println("left behind: " + directory + " (" + e + ")");
        }
    }
}
