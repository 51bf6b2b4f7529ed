package dev.heddle.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.heddle.process.files.FileTree;
import dev.heddle.process.files.ScratchDirectory;
import dev.heddle.sqlite.SqliteLibrary;
import dev.heddle.sqlite.SqliteStore;

/**
 * The surroundings of the scenes: a temporary directory with one store, and the processes they started. Closing the
 * stage ends those processes and deletes the directory, and so does Ctrl-C. On Ctrl-C the running scene is interrupted
 * first and waited for, because it stops its own processes, which use the directory.
 */
final class Stage implements AutoCloseable {

    private static final int DELETE_ATTEMPTS = 20;
    /** Longer than a pool and its processes take to close. */
    private static final Duration SCENE_END_TIMEOUT = Duration.ofMinutes(1);

    private static final String PREFIX = "heddle-demo-";

    private final ScratchDirectory scratch;
    private final Path directory;
    private final Narrator narrator;
    private final List<Process> processes = new CopyOnWriteArrayList<>();
    private final Thread sceneThread = Thread.currentThread();
    private final CompletableFuture<Void> played = new CompletableFuture<>();
    private final Thread atExit = new Thread(this::interrupt, "demo-cleanup");
    private volatile boolean cleared;

    Stage(Narrator narrator) throws IOException {
        this.narrator = narrator;
        Path temp = Path.of(System.getProperty("java.io.tmpdir"));
        ScratchDirectory.sweep(temp, PREFIX);
        this.scratch = ScratchDirectory.create(temp, PREFIX);
        this.directory = scratch.path();
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    Path directory() {
        return directory;
    }

    /** Opens the store, which the scenes use one after the other. */
    SqliteStore store() {
        return store(directory);
    }

    /** Opens the store and keeps its native library in the directory too, because a killed JVM cannot delete it. */
    static SqliteStore store(Path directory) {
        SqliteLibrary.keepIn(directory);
        return SqliteStore.at(directory.resolve("demo.db"));
    }

    /** Returns whether the stage is being removed, so that no further scene may start. */
    boolean isCleared() {
        return cleared;
    }

    /** Prints a line, unless the stage is being removed, which causes errors in the scene. */
    void say(String line) {
        if (!cleared) {
            narrator.say(line);
        }
    }

    /** Registers a process to end with the stage. */
    Process own(Process process) {
        processes.add(process);
        return process;
    }

    /** Describes what is left after the stage was closed. */
    String leftovers() {
        long alive = processes.stream().filter(Process::isAlive).count();
        if (alive > 0) {
            return alive + " processes";
        }
        return Files.exists(directory) ? "files in " + directory : "none";
    }

    @Override
    public void close() {
        played.complete(null);
        clear();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The JVM is shutting down and the hook cleans up. Block, so that this thread prints nothing more.
            new CompletableFuture<Void>().join();
        }
    }

    private void interrupt() {
        cleared = true;
        sceneThread.interrupt();
        played.completeOnTimeout(null, SCENE_END_TIMEOUT.toSeconds(), TimeUnit.SECONDS).join();
        clear();
    }

    private synchronized void clear() {
        cleared = true;
        for (Process process : processes) {
            process.destroyForcibly().onExit().join();
        }
        for (int attempt = 1; !delete(); attempt++) {
            // A scene that did not end in time may still create files.
            if (attempt == DELETE_ATTEMPTS) {
                narrator.say("cannot delete " + directory + "; delete it manually");
                return;
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    private boolean delete() {
        try {
            FileTree.delete(directory);
            scratch.close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
