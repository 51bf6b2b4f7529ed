package dev.heddle.process;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Starts all processes of this JVM on one thread that never ends. The thread must not end because the kernel kills
 * processes with a parent death signal when the <em>thread</em> that started them ends. The same thread reaps orphans,
 * so it never mistakes a process that has just been started for an orphan. There is one spawner per JVM, because
 * children and orphans belong to the JVM.
 */
final class Spawner {

    private static final Spawner HERE = new Spawner();

    private final ExecutorService thread = Executors
            .newSingleThreadExecutor(Thread.ofPlatform().daemon().name("heddle-spawner").factory());
    /** Children whose exit Java waits for, by pid. Confined to the thread. */
    private final Map<Long, Process> awaited = new HashMap<>();
    private int users;

    private Spawner() {}

    static Spawner here() {
        return HERE;
    }

    /** Makes this JVM the parent of orphans until every user has left. */
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

    /** Starts a process. Not interruptible, because a process that was started must become known. */
    Process spawn(ProcessBuilder builder) throws IOException {
        CompletableFuture<Process> started = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                Process process = builder.start();
                awaited.put(process.pid(), process);
                started.complete(process);
            } catch (IOException | RuntimeException e) {
                started.completeExceptionally(e);
            }
        });
        try {
            return started.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException refused) {
                throw new IOException(refused.getMessage(), refused);
            }
            throw e;
        }
    }

    /** Reaps orphans that have ended. Asynchronous. */
    void reap(Platform platform) {
        thread.execute(() -> {
            awaited.values().removeIf(process -> !process.isAlive());
            platform.reap(awaited::containsKey);
        });
    }
}
