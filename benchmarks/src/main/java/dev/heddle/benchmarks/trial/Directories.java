package dev.heddle.benchmarks.trial;

import java.io.IOException;
import java.nio.file.Path;

import dev.heddle.process.files.FileTree;

/** Deletes the directories of trials. */
public final class Directories {

    private Directories() {}

    /** Deletes a directory and its content; prints a warning if that fails. */
    public static void delete(Path directory) {
        try {
            FileTree.delete(directory);
        } catch (IOException e) {
            System.err.println("left behind: " + directory + " (" + e + ")");
        }
    }
}
