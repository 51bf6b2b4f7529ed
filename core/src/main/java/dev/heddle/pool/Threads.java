package dev.heddle.pool;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The threads of a node by their names; daemons all, so that none of them keeps a process. */
final class Threads {

    private final Map<String, Thread> threads = new LinkedHashMap<>();

    void start(String name, Runnable task) {
        threads.put(name, Thread.ofPlatform().daemon().name("heddle-" + name).start(task));
    }

    /** Whether it has ended within the time. */
    boolean join(String name, Duration longest) {
        Thread thread = threads.get(name);
        if (thread == null) {
            return true;
        }
        try {
            return thread.join(longest.isPositive() ? longest : Duration.ofMillis(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
