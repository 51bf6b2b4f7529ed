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

import dev.heddle.process.FileTree;
import dev.heddle.sqlite.SqliteLibrary;
import dev.heddle.sqlite.SqliteStore;

/**
 * Where the scenes play: a temporary directory with one store, and the processes they started. Closing it, which
 * a Ctrl-C does too, ends those processes and deletes the directory. A scene that a Ctrl-C comes upon is interrupted, and
 * waited for: what it has opened ends what it has started, and only then is there nobody left to miss the directory.
 */
final class Stage implements AutoCloseable {

    private static final int ATTEMPTS = 20;
    /** Longer than a pool and its processes take to close. */
    private static final Duration LAST_BOW = Duration.ofMinutes(1);

    private final Path directory;
    private final Narrator narrator;
    private final List<Process> processes = new CopyOnWriteArrayList<>();
    private final Thread player = Thread.currentThread();
    private final CompletableFuture<Void> played = new CompletableFuture<>();
    private final Thread atExit = new Thread(this::interrupt, "demo-clears-up");
    private volatile boolean cleared;

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

    /** With all that it may leave in the directory: a JVM that is killed cannot clear up after itself. */
    static SqliteStore store(Path directory) {
        SqliteLibrary.keepIn(directory);
        return SqliteStore.at(directory.resolve("demo.db"));
    }

    /** Whether nothing may be played here any more, which would make files that nobody deletes. */
    boolean isCleared() {
        return cleared;
    }

    /** Silent once the stage is cleared: what a scene says then comes of losing its stage. */
    void say(String line) {
        if (!cleared) {
            narrator.say(line);
        }
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
        played.complete(null);
        clear();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The JVM goes down and the hook clears up: whatever this thread said from here on would only confuse.
            new CompletableFuture<Void>().join();
        }
    }

    private void interrupt() {
        cleared = true;
        player.interrupt();
        played.completeOnTimeout(null, LAST_BOW.toSeconds(), TimeUnit.SECONDS).join();
        clear();
    }

    private synchronized void clear() {
        cleared = true;
        for (Process process : processes) {
            process.destroyForcibly().onExit().join();
        }
        for (int attempt = 1; !delete(); attempt++) {
            // A scene that could not be waited for may make a file while its directory is being deleted.
            if (attempt == ATTEMPTS) {
                narrator.say("could not delete " + directory + "; delete it by hand");
                return;
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    private boolean delete() {
        try {
            FileTree.delete(directory);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
