package dev.heddle.process;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
    /** Children whose end Java waits for, by pid; only the thread looks at them. */
    private final Map<Long, Process> awaited = new HashMap<>();
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

    /** Reaps orphans that have ended, soon. */
    void reap(Platform platform) {
        thread.execute(() -> {
            awaited.values().removeIf(process -> !process.isAlive());
            platform.reap(awaited::containsKey);
        });
    }
}
