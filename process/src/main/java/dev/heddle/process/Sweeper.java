package dev.heddle.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills what is left of runs until nothing is. All that wait share one look at the processes of the machine, so many runs
 * that end together cost hardly more than one.
 */
final class Sweeper {

    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    private static final Duration BETWEEN = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Duration REAP_EVERY = Duration.ofSeconds(1);

    private final Platform platform;
    private final ExecutorService thread = Executors
            .newSingleThreadExecutor(Thread.ofPlatform().daemon().name("heddle-sweeper").factory());
    private final Queue<Task> waiting = new ConcurrentLinkedQueue<>();

    /** What a sweep came to: what was killed, and what could not be. */
    record Swept(int killed, List<Long> survivors) {
        static final Swept NOTHING = new Swept(0, List.of());
    }

    private record Task(Row row, long deadline, Set<Long> seen, CompletableFuture<Swept> done) {}

    Sweeper(Platform platform) {
        this.platform = platform;
        reap();
    }

    /** Orphans may end at any time, long before their run does. */
    private void reap() {
        Spawner.here().reap(platform);
        after(REAP_EVERY, this::reap);
    }

    CompletableFuture<Swept> sweep(Row row) {
        Task task = new Task(row, System.nanoTime() + LONGEST.toNanos(), new LinkedHashSet<>(),
                new CompletableFuture<>());
        waiting.add(task);
        thread.execute(this::round);
        return task.done();
    }

    /** Does something later, unless it was closed by then. */
    void after(Duration delay, Runnable action) {
        CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, thread).execute(action);
    }

    private void round() {
        List<Task> tasks = new ArrayList<>();
        for (Task task = waiting.poll(); task != null; task = waiting.poll()) {
            tasks.add(task);
        }
        if (tasks.isEmpty()) {
            return;
        }
        try {
            Map<Mark, List<Long>> found = platform.sweep(tasks.stream().map(Task::row).toList());
            tasks.forEach(task -> judge(task, found.getOrDefault(task.row().mark(), List.of())));
        } catch (RuntimeException e) {
            LOG.error("Cannot look for what is left of {} runs", tasks.size(), e);
            tasks.forEach(task -> task.done().complete(Swept.NOTHING));
        }
    }

    private void judge(Task task, List<Long> alive) {
        task.seen().addAll(alive);
        if (alive.isEmpty()) {
            if (!task.seen().isEmpty()) {
                Spawner.here().reap(platform);
            }
            task.done().complete(new Swept(task.seen().size(), List.of()));
        } else if (System.nanoTime() > task.deadline()) {
            task.done().complete(new Swept(task.seen().size() - alive.size(), alive));
        } else {
            waiting.add(task);
            after(BETWEEN, this::round);
        }
    }

    void close() {
        thread.shutdownNow();
    }
}
