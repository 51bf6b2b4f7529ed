package dev.heddle.benchmarks;

import java.io.IOException;
import java.nio.file.Path;

import dev.heddle.process.FileTree;

/** Where trials keep their files. */
final class Directories {

    private Directories() {}

    /** Deletes it with all that is in it, and says so where that cannot be. */
    static void delete(Path directory) {
        try {
            FileTree.delete(directory);
        } catch (IOException e) {
            System.err.println("left behind: " + directory + " (" + e + ")");
        }
    }
}
