package dev.heddle.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import dev.heddle.sqlite.SqliteStore;

/**
 * Where the scenes play: a temporary directory with one store, and the processes they started. Closing it, which
 * a Ctrl-C does too, ends those processes and deletes the directory.
 */
final class Stage implements AutoCloseable {

    private final Path directory;
    private final Narrator narrator;
    private final List<Process> processes = new CopyOnWriteArrayList<>();
    private final Thread atExit = new Thread(this::clear, "demo-clears-up");

    Stage(Narrator narrator) throws IOException {
        this.narrator = narrator;
        this.directory = Files.createTempDirectory("heddle-demo-");
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    Path directory() {
        return directory;
    }

    /** The store that all scenes share, one after the other. */
    SqliteStore store() {
        return store(directory);
    }

    static SqliteStore store(Path directory) {
        return SqliteStore.at(directory.resolve("demo.db"));
    }

    void say(String line) {
        narrator.say(line);
    }

    /** The process will not outlive the stage. */
    Process own(Process process) {
        processes.add(process);
        return process;
    }

    /** What is left once the stage is closed, in words. */
    String leftovers() {
        long alive = processes.stream().filter(Process::isAlive).count();
        if (alive > 0) {
            return alive + " processes";
        }
        return Files.exists(directory) ? "files in " + directory : "none";
    }

    @Override
    public void close() {
        clear();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }

    private void clear() {
        for (Process process : processes) {
            process.destroyForcibly().onExit().join();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("could not delete " + directory + "; delete it by hand", e);
        }
    }
}
