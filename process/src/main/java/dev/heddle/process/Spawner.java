package dev.heddle.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Starts all processes of this JVM, on a thread that never ends: the kernel kills what shall die with its parent when
 * the <em>thread</em> that started it ends. The same thread reaps orphans, so it never takes a child for one that was
 * started a moment ago. There is one in a JVM, because children and orphans are the JVM's.
 */
final class Spawner {

    private static final Spawner HERE = new Spawner();

    private final ExecutorService thread = Executors
            .newSingleThreadExecutor(Thread.ofPlatform().daemon().name("heddle-spawner").factory());
    /** Children whose end Java waits for. */
    private final Set<Long> awaited = ConcurrentHashMap.newKeySet();
    private int users;

    private Spawner() {}

    static Spawner here() {
        return HERE;
    }

    /** While anybody is in, orphans come to this JVM. */
    synchronized void enter(Platform platform) {
        if (users++ == 0) {
            platform.adoptOrphans(true);
        }
    }

    synchronized void leave(Platform platform) {
        if (--users == 0) {
            platform.adoptOrphans(false);
        }
    }

    /** Not to be interrupted: whatever was started must be known. */
    Process spawn(ProcessBuilder builder) throws IOException {
        try {
            return CompletableFuture.supplyAsync(() -> start(builder), thread).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof UncheckedIOException refused) {
                throw new IOException(refused.getCause().getMessage(), refused.getCause());
            }
            throw e;
        }
    }

    private Process start(ProcessBuilder builder) {
        try {
            Process process = builder.start();
            awaited.add(process.pid());
            process.onExit().thenRun(() -> awaited.remove(process.pid()));
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reaps orphans that have ended, soon. */
    void reap(Platform platform) {
        thread.execute(() -> platform.reap(awaited::contains));
    }
}
